package suite

import "strings"

// oddID is a way to name an object that is there, and that is no object id: "(side, 7 digits)", or the words of git
// themselves behind "(git)".
var oddID = compiled(`^\((?:(\w+), )?([^()]+|git .+)\)$`)

// oddID writes the id of an object in a form that git would resolve, and that no state may hold.
func (w *world) oddID(name, form string) string {
	if name == "" {
		return strings.TrimPrefix(form, "git ")
	}
	id := w.git.history.oid(name)
	switch form {
	case "4 digits":
		return id[:4]
	case "7 digits":
		return id[:7]
	case "39 digits":
		return id[:39]
	case "41 digits":
		return id + "0"
	case "in upper case":
		return strings.ToUpper(id)
	case "its parent":
		return id + "~1"
	case "itself as a commit":
		return id + "^{commit}"
	case "its tree":
		return id + "^{tree}"
	case "behind a blank":
		return " " + id
	case "before a blank":
		return id + " "
	case "before a line feed":
		return id + "\n"
	case "behind a word":
		return "ref: " + id
	case "behind an x":
		return "0x" + id
	}
	panic("suite: invariant: unknown form of an object id " + form)
}
