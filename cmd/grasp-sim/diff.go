package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"slices"

	"github.com/spf13/cobra"

	"github.com/graspkit/graspkit/internal/cli"
	"github.com/graspkit/graspkit/sim/trace"
)

// exitDiffer is the exit code of a comparison that found a difference.
const exitDiffer = 1

func diffCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "diff A B",
		Short: "Find the first difference of two traces",
		Long: `diff compares two files that "grasp-sim run --trace" has written, and prints the first record in which they differ,
what both have in common before it, and which fields are not the same. What comes later is a consequence as a rule.

Exit codes: 0 the traces are equal, 1 they differ, 2 a file cannot be used.`,
		Example: `  grasp-sim diff before.jsonl after.jsonl`,
		Args:    cobra.ExactArgs(2),
		RunE: func(cmd *cobra.Command, args []string) error {
			return diffTraces(cmd.OutOrStdout(), args[0], args[1])
		},
	}
}

func diffTraces(stdout io.Writer, a, b string) error {
	d, differ, err := compare(a, b)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(stdout)
	if differ {
		err = tellDifference(out, a, b, d)
	} else {
		fmt.Fprintf(out, "the traces are equal: %d records\n", d.Line)
	}
	if err != nil {
		return err
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write difference: %w", err)
	}
	if differ {
		return &cli.ExitError{Code: exitDiffer}
	}
	return nil
}

// compare reads both files up to their first difference.
func compare(a, b string) (trace.Difference, bool, error) {
	as, err := os.Open(a)
	if err != nil {
		return trace.Difference{}, false, noTrace(fmt.Errorf("open trace: %w", err))
	}
	defer as.Close()
	bs, err := os.Open(b)
	if err != nil {
		return trace.Difference{}, false, noTrace(fmt.Errorf("open trace: %w", err))
	}
	defer bs.Close()
	d, differ, err := trace.Diff(as, bs)
	if err != nil {
		return d, false, noTrace(fmt.Errorf("compare %s and %s: %w", a, b, err))
	}
	if d.Line == 0 {
		return d, false, noTrace(fmt.Errorf("%s and %s are empty: a run writes records", a, b))
	}
	if !differ { // one look, so that two copies of something else do not pass for traces
		_, err = recordOf(a, d.Line, d.Before[len(d.Before)-1])
	}
	return d, differ, err
}

func noTrace(err error) error {
	usage := cli.Usagef("%w", err)
	usage.Hint = `name two files that "grasp-sim run --trace FILE" has written`
	return usage
}

// tellDifference writes what is the same before the difference, and both sides of it.
func tellDifference(w io.Writer, a, b string, d trace.Difference) error {
	fmt.Fprintf(w, "the traces differ at record %d\n", d.Line)
	if len(d.Before) > 0 {
		fmt.Fprintf(w, "the last %d of %d records in common:\n", len(d.Before), d.Line-1)
	}
	for i, line := range d.Before {
		r, err := recordOf(a, d.Line-len(d.Before)+i, line)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "  %s\n", words(r))
	}
	for _, side := range []struct{ name, line string }{{a, d.A}, {b, d.B}} {
		if side.line == "" {
			fmt.Fprintf(w, "%s:\n  ends here\n", side.name)
			continue
		}
		r, err := recordOf(side.name, d.Line, side.line)
		if err != nil {
			return err
		}
		fmt.Fprintf(w, "%s:\n  %s\n", side.name, words(r))
	}
	if d.A != "" && d.B != "" {
		return tellFields(w, d)
	}
	return nil
}

// tellFields writes which fields of two records are not the same, whatever fields there are.
func tellFields(w io.Writer, d trace.Difference) error {
	var a, b map[string]json.RawMessage
	if err := errors.Join(json.Unmarshal([]byte(d.A), &a), json.Unmarshal([]byte(d.B), &b)); err != nil {
		return fmt.Errorf("read record %d: %w", d.Line, err)
	}
	both := maps.Clone(a)
	maps.Copy(both, b)
	same := true
	for _, field := range slices.Sorted(maps.Keys(both)) {
		if string(a[field]) != string(b[field]) {
			same = false
			fmt.Fprintf(w, "%s: %s, %s\n", field, orNone(a[field]), orNone(b[field]))
		}
	}
	if same {
		fmt.Fprintln(w, "every field is the same: the lines differ in how they are written")
	}
	return nil
}

func orNone(value json.RawMessage) string {
	if value == nil {
		return "none"
	}
	return string(value)
}

// recordOf reads one line of a trace.
func recordOf(file string, number int, line string) (trace.Record, error) {
	var r trace.Record
	if err := json.Unmarshal([]byte(line), &r); err != nil {
		return r, noTrace(fmt.Errorf("%s:%d: no record of a trace: %w", file, number, err))
	}
	if r.Seq == 0 || r.Fact == "" {
		return r, noTrace(fmt.Errorf("%s:%d: no record of a trace: it has no seq or no fact", file, number))
	}
	return r, nil
}
