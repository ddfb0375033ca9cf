package main

import (
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/graspkit/graspkit/reference/policy"
)

// A listed is a list of keys or repositories, with commas between or in a file of one a line.
type listed struct {
	at   *policy.List
	text *string // as it was given
	keys bool    // nothing but keys
}

// listBytesMax bounds the file of a list.
const listBytesMax = 16 << 20

// Set implements pflag.Value. Given again, it adds.
func (l listed) Set(text string) error {
	entries, err := listEntries(text)
	if err != nil {
		return err
	}
	for _, entry := range entries {
		if err := l.at.Add(entry); err != nil {
			return err
		}
		if l.keys && !l.at.Keys() {
			return fmt.Errorf("%q: want an npub: events are kept out by their author", entry)
		}
	}
	if l.at.Empty() {
		return fmt.Errorf("%q names nothing: want npubs with commas between, or @FILE with one a line", text)
	}
	*l.text = strings.TrimPrefix(*l.text+","+text, ",")
	return nil
}

// listEntries takes a list apart, or reads the file that it names; what follows a # in it is a remark.
func listEntries(text string) ([]string, error) {
	entries := strings.Split(text, ",")
	if path, ok := strings.CutPrefix(text, "@"); ok {
		content, err := readList(path)
		if err != nil {
			return nil, err
		}
		entries = strings.Split(content, "\n")
	}
	var filled []string
	for _, entry := range entries {
		entry, _, _ = strings.Cut(entry, "#")
		if entry = strings.TrimSpace(entry); entry != "" {
			filled = append(filled, entry)
		}
	}
	return filled, nil
}

func readList(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("list: %w", err)
	}
	defer file.Close()
	content, err := io.ReadAll(io.LimitReader(file, listBytesMax+1))
	if err != nil {
		return "", fmt.Errorf("list: %w", err)
	}
	if len(content) > listBytesMax {
		return "", fmt.Errorf("list %s: more than %s", path, shownSize(listBytesMax))
	}
	return strings.TrimPrefix(string(content), "\ufeff"), nil // some editors begin a file so
}

// String implements pflag.Value.
func (l listed) String() string {
	if l.text == nil {
		return ""
	}
	return *l.text
}

// Type implements pflag.Value.
func (l listed) Type() string { return "list" }
