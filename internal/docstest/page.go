package docstest

import (
	"fmt"
	"regexp"
	"strings"
)

// A block is a fenced block of a page.
type block struct {
	line       int    // where its first line is, from 1
	kind       string // console, sh or diff
	background bool
	reason     string // why it is not run, "" if it is
	text       string
}

// A command is one line to run, with what it has to print.
type command struct {
	text string
	want []string
}

// blocks reads those of a page that a reader carries out. A block of any other kind is text.
func blocks(page string) ([]block, error) {
	var all []block
	var open *block
	for i, line := range strings.Split(page, "\n") {
		info, fence := strings.CutPrefix(line, "```")
		switch {
		case !fence && open != nil:
			open.text += line + "\n"
		case fence && open != nil:
			all = append(all, *open)
			open = nil
		case fence:
			kind, rest, _ := strings.Cut(info, " ")
			open = &block{line: i + 2, kind: kind, background: rest == "background"}
			if rest != "" && !open.background {
				word, why, _ := strings.Cut(rest, ": ")
				if why == "" {
					return nil, fmt.Errorf("line %d: %q says no reason: want WORD: WHY", i+1, word)
				}
				open.reason = rest
			}
		}
	}
	if open != nil {
		return nil, fmt.Errorf("line %d: the block does not end", open.line)
	}
	var run []block
	for _, b := range all {
		if b.kind == "console" || b.kind == "sh" || b.kind == "diff" {
			run = append(run, b)
		}
	}
	return run, nil
}

// commands are those of a console block.
func (b block) commands() ([]command, error) {
	var all []command
	for line := range strings.Lines(b.text) {
		line = strings.TrimSuffix(line, "\n")
		text, is := strings.CutPrefix(line, "$ ")
		switch {
		case is:
			all = append(all, command{text: text})
		case len(all) == 0:
			return nil, fmt.Errorf("line %d: %q is printed before any command", b.line, line)
		default:
			last := &all[len(all)-1]
			last.want = append(last.want, line)
		}
	}
	return all, nil
}

// fits reports whether what was printed is what the page shows.
func (c command) fits(printed string) bool {
	var pattern strings.Builder
	pattern.WriteString(`^`)
	for _, line := range c.want {
		if line == "..." {
			pattern.WriteString(`(?:.*\n)*?`)
			continue
		}
		for i, part := range strings.Split(line, "...") {
			if i > 0 {
				pattern.WriteString(`.*`)
			}
			pattern.WriteString(regexp.QuoteMeta(part))
		}
		pattern.WriteString(`\n`)
	}
	pattern.WriteString(`\n*$`)
	return regexp.MustCompile(pattern.String()).MatchString(printed)
}
