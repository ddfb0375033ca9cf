package main

import (
	"cmp"
	"io"
	"os"
	"strings"

	"golang.org/x/term"

	"github.com/graspkit/graspkit/conformance/report"
	"github.com/graspkit/graspkit/internal/cli"
)

// consoleOf says what can be shown on w, by what it is and by what the environment says. doc is where the document is, if it is in
// a file.
func consoleOf(w io.Writer, verbose bool, doc string) report.ConsoleOptions {
	if doc == "-" {
		doc = ""
	}
	o := report.ConsoleOptions{UTF8: showsUTF8(), Verbose: verbose, Report: doc}
	file, ok := cli.FileOf(w)
	if !ok || !term.IsTerminal(int(file.Fd())) {
		return o
	}
	o.Color = os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb"
	if width, _, err := term.GetSize(int(file.Fd())); err == nil {
		o.Width = width
	}
	return o
}

// showsUTF8 reports whether the locale is one of UTF-8.
func showsUTF8() bool {
	locale := cmp.Or(os.Getenv("LC_ALL"), os.Getenv("LC_CTYPE"), os.Getenv("LANG"))
	locale = strings.ToLower(strings.ReplaceAll(locale, "-", ""))
	return strings.HasSuffix(locale, "utf8") || strings.Contains(locale, "utf8@")
}
