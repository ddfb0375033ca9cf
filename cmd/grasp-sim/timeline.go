package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/graspkit/graspkit/internal/cli"
	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/timeline"
	"github.com/graspkit/graspkit/sim/trace"
)

// Lines of a timeline as text.
const (
	widthUsual = 132
	widthMax   = 1000
	rowsMax    = 200_000 // in memory
)

// timelineFlags are the flags of timeline.
type timelineFlags struct {
	choice

	seed        uint64
	from, until time.Duration
	nodes       []string
	svg         string
}

func timelineCommand() *cobra.Command {
	var f timelineFlags
	cmd := &cobra.Command{
		Use:   "timeline [SCENARIO|TRACE]",
		Short: "Draw what happened as lanes of servers, people and git hosts",
		Long: `timeline draws a run from top to bottom, a lane for each node and a line for each record: messages are arrows, what was lost
is crossed out, a server that is down has no line, and violations are marked. It is text that fits the terminal (COLUMNS, or
132), or with --svg a picture in a file that any browser shows.

It makes the run of a scenario and a seed, or reads a file that "grasp-sim run --trace" has written.

Exit codes: 0 it is drawn, 2 the command line or a file cannot be used, 3 the simulator failed.`,
		Example: `  grasp-sim timeline first --seed 7 --until 10m
  grasp-sim timeline crash.jsonl --from 40m --until 1h --node server1,owner1
  grasp-sim timeline crash --seed 12 --from 30m --until 35m --svg crash.svg`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			arg := "first"
			if len(args) > 0 {
				arg = args[0]
			}
			if f.until != 0 && f.until < f.from {
				usage := cli.Usagef("--until %s is before --from %s", f.until, f.from)
				usage.Hint = "let it end after it begins"
				return usage
			}
			t := timeline.New(timeline.Options{Start: sim.Start, From: f.from, Until: f.until, Nodes: f.nodes})
			title, err := fill(cmd, t, arg, f)
			if err != nil {
				return err
			}
			return f.draw(cmd.OutOrStdout(), t, title)
		},
	}
	f.flag(cmd)
	cmd.Flags().Uint64Var(&f.seed, "seed", 0, "of the run of a scenario; that of the scenario if it names one")
	cmd.Flags().DurationVar(&f.from, "from", 0, "draw what happened from this time of the run on, such as 10m")
	cmd.Flags().DurationVar(&f.until, "until", 0, "draw what happened until then; zero is the end")
	cmd.Flags().StringSliceVar(&f.nodes, "node", nil, "draw what happened at these nodes alone, such as server1,owner1")
	cmd.Flags().StringVar(&f.svg, "svg", "", "draw a picture into this `FILE`")
	return cmd
}

// fill puts a run into a timeline, from a trace or from a scenario.
func fill(cmd *cobra.Command, t *timeline.Timeline, arg string, f timelineFlags) (title string, err error) {
	file, err := os.Open(arg)
	if err == nil {
		defer file.Close()
		from := bufio.NewReader(file)
		if begun, _ := from.Peek(traceBegins); trace.IsTrace(begun) {
			if err := trace.Read(from, t.Add); err != nil {
				return "", noTrace(fmt.Errorf("%s: %w", arg, err))
			}
			return arg, nil
		}
	}
	s, err := f.one(cmd, []string{arg}, &f.seed)
	if err != nil {
		return "", err
	}
	err = (&runner{scenario: s, program: program(cmd)}).fill(cmd.Context(), t, f.seed)
	return fmt.Sprintf("%s, seed %d", s.Name, f.seed), err
}

// traceBegins is how much of a file shows whether it is a trace.
const traceBegins = 256

// drawn is a watcher that puts records into a timeline.
type drawn struct {
	timeline *timeline.Timeline
	names    *trace.Names
}

func (d *drawn) see(r trace.Record) {
	d.timeline.Add(symbolic(d.names, r))
	if d.timeline.Rows() > rowsMax {
		panic(stopped{})
	}
}

func (d *drawn) name(id, name string) { d.names.Give(id, name) }

// fill puts the records of a run into a timeline, as many as one has room for.
func (r *runner) fill(ctx context.Context, t *timeline.Timeline, seed uint64) error {
	if _, err := r.run(ctx, seed, &drawn{t, trace.NewNames()}); err != nil && !errors.Is(err, errStopped) {
		return err
	}
	return nil
}

// draw writes the timeline.
func (f *timelineFlags) draw(stdout io.Writer, t *timeline.Timeline, title string) error {
	most := rowsMax
	if f.svg != "" {
		most = timeline.RowsMax
	}
	if t.Rows() > most {
		usage := cli.Usagef("a timeline of more than %d records", most)
		usage.Hint = "draw less of it, with --from, --until or --node"
		return usage
	}
	if t.Rows() == 0 {
		usage := cli.Usagef("nothing happened there")
		usage.Hint = "take another time with --from and --until, or other nodes; a trace names them as host"
		return usage
	}
	if f.svg == "" {
		if _, err := io.WriteString(stdout, t.Text(columns())); err != nil {
			return fmt.Errorf("write timeline: %w", err)
		}
		return nil
	}
	if err := os.WriteFile(f.svg, []byte(t.SVG(title)), 0o644); err != nil { //nolint:gosec // a picture is for everybody
		usage := cli.Usagef("write picture: %w", err)
		usage.Hint = "name a file in a folder that exists and that you can write to"
		return usage
	}
	fmt.Fprintf(stdout, "%s: %d records\n", f.svg, t.Rows())
	return nil
}

// columns is how wide the terminal says that it is.
func columns() int {
	n, err := strconv.Atoi(strings.TrimSpace(os.Getenv("COLUMNS")))
	if err != nil || n < timeline.WidthMin || n > widthMax {
		return widthUsual
	}
	return n
}
