package relay

// A Filter says which events a subscription wants (NIP-01). A nil list asks for nothing in particular; a list that is
// there and empty matches no event. It is what was read; [Filter.Compile] makes it ready to be asked.
type Filter struct {
	IDs, Authors []string // 64 lower-case hex digits each, whole values only
	Kinds        []int
	Tags         []TagFilter // sorted by letter, each letter once
	Since, Until *int64      // seconds since the Unix epoch, both inclusive
	Limit        *int        // most events of the first answer; 0 asks for none
}

// A TagFilter asks for a tag with a one-letter name and one of the values as its first value.
type TagFilter struct {
	Letter byte
	Values []string
}
