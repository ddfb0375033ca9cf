package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/graspkit/graspkit/conformance/record"
	"github.com/graspkit/graspkit/conformance/report"
)

// tellGitHub writes annotations to stdout and appends to the step summary, where a step of GitHub is what runs this.
func tellGitHub(stdout io.Writer, doc *record.Document) error {
	if os.Getenv("GITHUB_ACTIONS") != "true" {
		return nil
	}
	if err := report.Annotations(stdout, doc); err != nil {
		return err //nolint:wrapcheck // it says what was written
	}
	path := os.Getenv("GITHUB_STEP_SUMMARY")
	if path == "" {
		return nil
	}
	summary, err := os.OpenFile(path, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o666)
	if err != nil {
		return fmt.Errorf("open the step summary: %w", err)
	}
	return errors.Join(report.Markdown(summary, doc), summary.Close())
}
