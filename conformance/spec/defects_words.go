package spec

// wordsWireDefects are mistakes of any server with names that are words of a program, with texts that are not ASCII or no text, and with what
// is nothing to a program: 0, and all but the first.
func wordsWireDefects() []Defect {
	return []Defect{
		{"subscriptions-called-by-words-hear-nothing", "N01-REQ-03", nil, "A subscription whose id is a word of the program gets no new events."},
		{"values-that-are-words-unfound", "N01-REQ-01", nil, "Nothing is found by a tag whose value is a word of the program."},
		{"tags-that-are-words-refused", "G01-REL-01", nil, "An event with a tag whose value is a word of the program is refused."},
		{"pushes-to-words-fail", "G01-ANN-11", nil, "Pushes to a repository whose identifier is a word of the program fail."},
		{"branches-called-by-words-lost", "G01-PUSH-01", nil, "A branch that is called by a word of the program is not seen in states."},
		{"unreadable-paths-fail", "G01-GIT-11", nil, "A path whose bytes are no text makes the server fail."},
		{"tags-behind-tags-unescaped-on-pages", "G01-WEB-01", nil, "Of foreign text on a page the first tag alone is escaped."},
		{"kind-zero-refused", "G01-REL-07", nil, "Events of kind 0 are refused, whatever they refer to."},
		{"refusals-with-letters-misframed", "G01-PUSH-28", nil, "The packet that refuses a ref is longer than it says if the name has letters that are not ASCII."},
	}
}
