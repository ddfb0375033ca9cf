package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/graspkit/graspkit/conformance/compare"
	"github.com/graspkit/graspkit/conformance/record"
	"github.com/graspkit/graspkit/internal/cli"
)

func compareCommand() *cobra.Command {
	var all, asJSON bool
	var html, markdown string
	cmd := &cobra.Command{
		Use:   "compare FILE FILE [FILE...]",
		Short: "Lay runs beside each other: what got better, what got worse",
		Long: `compare reads documents that --json has written and lays their runs beside each other, requirement by requirement:
servers, or commits of one. Runs of later files are compared with those of the first one; where a file has several runs, with
that of the same target.

Worse is a requirement that was verified and is violated, and a MUST that was verified and is not any more; what was not judged
before and is violated now may always have been, and is told as changed otherwise.

Exit codes: 0 nothing is worse, 1 of exactly two files, something is worse in the second one, 2 a file cannot be compared.`,
		Example: `  grasp-check compare before.json after.json
  grasp-check compare a.json b.json c.json --html servers.html
  grasp-check compare before.json after.json --all --json`,
		Args: cobra.MinimumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			table, err := readTable(cmd.InOrStdin(), args)
			if err != nil {
				return err
			}
			if err := writeFile("--html", html, func(w io.Writer) error { return compare.HTML(w, table) }); err != nil {
				return err
			}
			if err := writeFile("--markdown", markdown, func(w io.Writer) error { return compare.Markdown(w, table, all) }); err != nil {
				return err
			}
			if asJSON {
				err = compare.JSON(cmd.OutOrStdout(), table)
			} else {
				err = compare.Text(cmd.OutOrStdout(), table, all)
			}
			if err != nil {
				return fmt.Errorf("write comparison: %w", err)
			}
			if len(args) == 2 && table.Count(compare.Worse) > 0 {
				return &cli.ExitError{Code: record.ExitViolated}
			}
			return nil
		},
	}
	cmd.Flags().BoolVar(&all, "all", false, "show every requirement, and not only those that differ")
	cmd.Flags().BoolVar(&asJSON, "json", false, "print the comparison as JSON, every requirement in it")
	cmd.Flags().StringVar(&html, "html", "", "write it as one page in HTML to `FILE`, too")
	cmd.Flags().StringVar(&markdown, "markdown", "", "write it as a page in Markdown to `FILE`, too")
	return cmd
}

// readTable reads the documents and lays them beside each other; what is wrong with them is an error of usage.
func readTable(stdin io.Reader, paths []string) (*compare.Table, error) {
	var files []compare.File
	for _, path := range paths {
		doc, err := readDocument(stdin, path)
		if err != nil {
			return nil, err
		}
		files = append(files, compare.File{Name: filepath.Base(path), Doc: doc})
	}
	table, err := compare.Of(files)
	switch {
	case err == nil:
		return table, nil
	case errors.Is(err, compare.ErrLineage):
		return nil, &cli.ExitError{Code: cli.ExitUsage, Err: err, Hint: "judge both by the same --spec"}
	case errors.Is(err, compare.ErrFew):
		return nil, &cli.ExitError{Code: cli.ExitUsage, Err: err, Hint: "name two files, or one with several targets"}
	}
	return nil, &cli.ExitError{Code: cli.ExitUsage, Err: err, Hint: "compare fewer at a time"}
}

// writeFile writes the file that a flag names, if it does.
func writeFile(flag, path string, write func(io.Writer) error) error {
	if path == "" {
		return nil
	}
	file, err := os.Create(path)
	if err != nil {
		return &cli.ExitError{
			Code: cli.ExitUsage, Err: fmt.Errorf("%s: %w", flag, err), Hint: "name a file in a directory that exists and can be written to",
		}
	}
	if err := write(file); err != nil {
		_ = file.Close() // the other error counts
		return fmt.Errorf("%s: %w", flag, err)
	}
	if err := file.Close(); err != nil {
		return fmt.Errorf("%s: %w", flag, err)
	}
	return nil
}
