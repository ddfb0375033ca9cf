// Package repro says how what a check has seen is seen again without graspkit: as a script for a POSIX shell with curl, git and a
// WebSocket client, which sends what the check has sent, byte by byte, and shows what comes back beside what came back then.
//
// Answers to challenges are signed anew, by grasp-check sign with the keys that a run has made up; all else is signed already. It is
// made of the document of a run alone. It runs nothing and judges nothing.
package repro

import (
	"slices"
	"strings"

	"github.com/graspkit/graspkit/conformance/record"
)

// Again is the command that runs one check of a run once more, or all without an id: with the same keys where the
// server is a fresh one.
func Again(run *record.Run, id string) string {
	words := []string{"grasp-check"}
	if id != "" {
		words = append(words, "--id", id)
	}
	if run.Nonce == "" { // a server that keeps its data has seen these keys
		words = append(words, "--seed", run.Seed)
	}
	for _, a := range run.Arguments {
		words = append(words, Quoted(a))
	}
	launched := slices.ContainsFunc(run.Arguments, func(a string) bool {
		return strings.HasPrefix(a, "--launch") || strings.HasPrefix(a, "--image")
	})
	switch {
	case run.World != "live":
		words = append(words, run.Target)
	case !launched:
		words = append(words, Quoted(run.URL))
	}
	return strings.Join(words, " ")
}

// Quoted is a word as a POSIX shell reads it, which knows no NUL: U+FFFD takes its place.
func Quoted(word string) string {
	word = strings.ReplaceAll(word, "\x00", "\uFFFD")
	special := strings.ContainsFunc(word, func(r rune) bool {
		return !strings.ContainsRune("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./-_", r)
	})
	if word != "" && !special {
		return word
	}
	return "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
}
