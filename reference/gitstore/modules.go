package gitstore

import (
	"net/url"
	"strings"
)

// checkModules returns why a .gitmodules may not be handed on, "" if nothing speaks against it. Clients that follow it run git
// with what it says: a name that leads out of its folder, an URL or a path that git would take for an option, a command.
// Git's own check of received objects refuses these. It reads every line for itself, also behind one that is no configuration:
// what can be read of it in one way only by git must not go by here.
func checkModules(content []byte) string {
	text := strings.ReplaceAll(strings.ReplaceAll(string(content), "\r\n", "\n"), "\\\n", "")
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if name, rest, ok := moduleHeader(line); ok {
			if name == "" || leadsOut(name) {
				return "a submodule has a name that leads elsewhere"
			}
			line = rest
		}
		key, value, ok := strings.Cut(line, "=")
		if !ok {
			continue
		}
		value = unquoted(value)
		switch strings.ToLower(strings.TrimSpace(key)) {
		case "url":
			if decoded, err := url.PathUnescape(value); strings.HasPrefix(value, "-") || strings.Contains(value, "\n") ||
				err == nil && strings.Contains(decoded, "\n") {
				return "a submodule has an URL that is none"
			}
		case "path":
			if strings.HasPrefix(value, "-") {
				return "a submodule has a path that looks like an option"
			}
		case "update":
			if strings.HasPrefix(value, "!") {
				return "a submodule is updated by a command"
			}
		}
	}
	return ""
}

// moduleHeader takes a line apart that begins with [submodule "name"].
func moduleHeader(line string) (name, rest string, ok bool) {
	line, ok = strings.CutPrefix(line, "[")
	if !ok {
		return "", "", false
	}
	line = strings.TrimSpace(line)
	const word = "submodule"
	if len(line) < len(word) || !strings.EqualFold(line[:len(word)], word) {
		return "", "", false
	}
	if line, ok = strings.CutPrefix(strings.TrimSpace(line[len(word):]), `"`); !ok {
		return "", "", false
	}
	var b strings.Builder
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '"':
			rest = strings.TrimSpace(line[i+1:])
			return b.String(), strings.TrimPrefix(rest, "]"), true
		case '\\':
			if i++; i < len(line) {
				b.WriteByte(line[i])
			}
		default:
			b.WriteByte(line[i])
		}
	}
	return "", "", false
}

// leadsOut reports whether a part of a name is "..", whichever of the separators of any system is between them.
func leadsOut(name string) bool {
	for _, part := range strings.FieldsFunc(name, func(r rune) bool { return r == '/' || r == '\\' }) {
		if part == ".." {
			return true
		}
	}
	return false
}

// unquoted returns a value of a configuration without quotes, escapes and remarks.
func unquoted(value string) string {
	var b strings.Builder
	quoted := false
	value = strings.TrimSpace(value)
	for i := 0; i < len(value); i++ {
		switch c := value[i]; {
		case c == '"':
			quoted = !quoted
		case (c == '#' || c == ';') && !quoted:
			return strings.TrimSpace(b.String())
		case c == '\\' && i+1 < len(value):
			i++
			switch value[i] {
			case 'n':
				b.WriteByte('\n')
			case 't':
				b.WriteByte('\t')
			case 'b':
				b.WriteByte('\b')
			default:
				b.WriteByte(value[i])
			}
		default:
			b.WriteByte(c)
		}
	}
	return b.String()
}
