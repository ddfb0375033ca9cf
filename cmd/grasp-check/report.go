package main

import (
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"github.com/graspkit/graspkit/conformance/record"
	"github.com/graspkit/graspkit/conformance/report"
	"github.com/graspkit/graspkit/internal/cli"
)

func reportCommand() *cobra.Command {
	var out outputs
	var verbose bool
	cmd := &cobra.Command{
		Use:   "report RUN.JSON",
		Short: "Show a run.json again, or write it in other forms",
		Long: `report makes everything that a run can be told by from its document, which --json wrote. Nothing is judged anew and no
server is asked. Without a flag it prints what a run prints; - for RUN.JSON is stdin, - for FILE is stdout.

Exit code 0 says that it was written, whatever the run came to.`,
		Example: `  grasp-check report run.json
  grasp-check report run.json --html run.html --junit run.xml
  grasp-check report run.json --markdown - >> "$GITHUB_STEP_SUMMARY"`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			doc, err := readDocument(cmd.InOrStdin(), args[0])
			if err != nil {
				return err
			}
			defer out.close()
			if err := out.open(cmd.OutOrStdout()); err != nil {
				return err
			}
			if len(out.files) > 0 {
				return out.write(doc)
			}
			shown := consoleOf(cmd.OutOrStdout(), verbose, args[0])
			for i := range doc.Runs {
				if err := report.Console(cmd.OutOrStdout(), &doc.Runs[i], doc.Spec, shown); err != nil {
					return err //nolint:wrapcheck // it says what was written
				}
				fmt.Fprintln(cmd.OutOrStdout())
			}
			return nil
		},
	}
	out.flags(cmd, "json")
	cmd.Flags().BoolVarP(&verbose, "verbose", "v", false, "tell every requirement and every finding at length")
	return cmd
}

// readDocument reads a run.json, or stdin for "-"; what is wrong with it is an error of usage.
func readDocument(stdin io.Reader, path string) (*record.Document, error) {
	unusable := func(err error) error {
		return &cli.ExitError{Code: cli.ExitUsage, Err: err, Hint: "name a file that grasp-check --json has written"}
	}
	from := stdin
	if path != "-" {
		file, err := os.Open(path)
		if err != nil {
			return nil, unusable(err)
		}
		defer func() { _ = file.Close() }()
		from = file
	}
	doc, err := record.Read(from)
	if err != nil {
		return nil, unusable(fmt.Errorf("%s: %w", path, err))
	}
	return doc, nil
}

func schemaCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "schema",
		Short: "Print the JSON schema of run.json",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			_, err := io.WriteString(cmd.OutOrStdout(), record.SchemaText())
			return err //nolint:wrapcheck // stdout names itself
		},
	}
}
