package gitstore

import (
	"bytes"
	"strings"
	"unicode"
)

// What a tree calls .git or .gitmodules is not only what is spelled so: file systems fold the case of letters (all but those of
// Linux), drop spaces and dots at the end and what follows a colon, and have short names beside long ones (NTFS), or do not see
// some characters at all (HFS+). Whoever checks out what stands for .git there has it overwritten. Git's own check of received
// objects refuses all of these, and so does a store without git.

// plain reports whether a name stands for itself alone: nearly all do, and are not looked at closely.
func plain(name []byte) bool {
	return len(name) > 0 && name[0] != '.' && name[0]|0x20 != 'g' && bytes.IndexByte(name, '\\') < 0 &&
		bytes.IndexFunc(name, func(r rune) bool { return r > unicode.MaxASCII }) < 0
}

// isDotGit reports whether a file system may take a name for .git.
func isDotGit(name []byte) bool {
	for part := range bytes.SplitSeq(name, []byte(`\`)) { // it separates folders on Windows
		lower := strings.ToLower(string(part))
		for _, form := range []string{".git", "git~1"} {
			if rest, ok := strings.CutPrefix(lower, form); ok && ends(rest) {
				return true
			}
		}
	}
	return unseen(name) == ".git"
}

// isDotGitmodules reports whether a file system may take a name for .gitmodules.
func isDotGitmodules(name []byte) bool {
	if unseen(name) == ".gitmodules" {
		return true
	}
	lower := strings.ToLower(string(name))
	for _, form := range []string{".gitmodules", "gitmod~1", "gitmod~2", "gitmod~3", "gitmod~4"} {
		if rest, ok := strings.CutPrefix(lower, form); ok && ends(rest) {
			return true
		}
	}
	// The short name that is made where those are taken: some letters of gi7eba, then a number, eight characters in all.
	letters, number, ok := strings.Cut(lower, "~")
	const known = "gi7eba"
	if len(lower) < 8 || !ok || len(letters) > len(known) || letters != known[:len(letters)] {
		return false
	}
	digits := lower[len(letters)+1 : 8]
	return len(number) > 0 && digits != "" && digits[0] != '0' && strings.Trim(digits, "0123456789") == "" && ends(lower[8:])
}

// ends reports whether NTFS does not see what follows a name: spaces, dots, and the stream behind a colon.
func ends(rest string) bool {
	rest = strings.TrimLeft(rest, " .")
	return rest == "" || rest[0] == ':'
}

// unseen returns a name in lower case without the characters that HFS+ does not see.
func unseen(name []byte) string {
	return strings.ToLower(strings.Map(func(r rune) rune {
		switch {
		case 0x200c <= r && r <= 0x200f, 0x202a <= r && r <= 0x202e, 0x206a <= r && r <= 0x206f, r == 0xfeff:
			return -1
		}
		return r
	}, string(name)))
}
