package main

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/graspkit/graspkit/internal/cli"
	"github.com/graspkit/graspkit/sim"
)

// exitViolated is the exit code of a run in which an invariant was violated.
const exitViolated = 1

// runFlags are the flags of run.
type runFlags struct {
	choice

	seed      uint64
	seeds     seedRange
	workers   int
	keepGoing bool
	resume    string
	trace     string
	twice     bool
	coverage  bool
	table     string
}

func runCommand() *cobra.Command {
	f := runFlags{workers: min(runtime.GOMAXPROCS(0), workersMax)}
	cmd := &cobra.Command{
		Use:   "run [SCENARIO]",
		Short: "Run a scenario from one seed or many and check its invariants",
		Long: `run simulates a scenario from a seed and checks its invariants after every step and in the quiet phase at the end.
SCENARIO is the name of a scenario that comes with the program (without one: first) or the path of a file. The last
line on stdout is the hash of everything that happened, "trace" and 64 hex digits: two runs with the same hash are the
same run. --trace writes what happened, one JSON object a line (docs/trace.md). A violation ends the run and is told
with what was before it.

The scenario "swarm" is drawn anew for each seed: small worlds in which other things exist, as "grasp-sim draw" prints them.
So is "motes": worlds of a handful of deeds and one fault, hundreds of which take a second; and "peers": worlds of relays that
have most of what people do, and of a server or two that have to get it from there; and "hunts": worlds of git hosts that have what
such a server lacks.

With --seeds each seed is a run of its own. It ends at the first seed that violates an invariant, or with --keep-going
behind the last one. stdout is the same for any number of workers: failed runs in the order of the seeds, then the sums;
its last line is "sweep" and the SHA-256 of the lines that the trace hashes of the runs make. How far it is is told on
stderr: on a terminal in one line, elsewhere in a line every 30 seconds. An interrupt ends it with the sums so far.
With --resume the sums are kept in a file: the same command goes on where it was, and ends as if nothing had been between.

With --twice each run is made two times. Two runs of one seed that are not the same are an error of the program, with exit
code 3; where it is one seed, the first record in which they differ is told, and both traces are kept.

--coverage tells which rulings, facts, records, transitions and limits of a server were reached, and which never were.`,
		Example: `  grasp-sim run --seed 7
  grasp-sim run first --seed 7 --trace first.jsonl
  grasp-sim run ./my-scenario.yaml --seed 1
  grasp-sim run crash --seeds 1-1000 --keep-going
  grasp-sim run crash --seed 12 --twice
  grasp-sim run swarm --seeds 1-1000
  grasp-sim run motes --seeds 1-1000000 --keep-going --twice --resume motes.json`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			collectSeldom()
			scenario := "first"
			if len(args) > 0 {
				scenario = args[0]
			}
			if err := f.check(cmd, scenario); err != nil {
				return err
			}
			s, err := f.load(args)
			if err != nil {
				return err
			}
			if !cmd.Flags().Changed("seed") {
				f.seed = s.Seed
			}
			r := &runner{scenario: s, program: program(cmd), checked: f.twice, keys: &keyring{}}
			if f.coverage || f.table != "" {
				r.reached, r.table = newReached(), f.table
			}
			if !cmd.Flags().Changed("seeds") {
				return runOnce(cmd.Context(), cmd.OutOrStdout(), r, f.seed, f.trace)
			}
			p, stop := newProgress(cmd.ErrOrStderr())
			defer stop()
			out := bufio.NewWriter(cmd.OutOrStdout())
			many := sweep{runner: r, seeds: f.seeds, workers: f.workers, keepGoing: f.keepGoing, file: f.resume, out: out, progress: p}
			return many.run(cmd.Context())
		},
	}
	f.flag(cmd)
	cmd.Flags().Uint64Var(&f.seed, "seed", 0, "where all draws of the run come from; that of the scenario if it names one")
	cmd.Flags().Var(&f.seeds, "seeds", "run each of these seeds, such as 1-1000")
	cmd.Flags().VarP(count{&f.workers, 1, workersMax}, "workers", "j", "how many runs of --seeds are made at a time; the processors there are")
	cmd.Flags().BoolVar(&f.keepGoing, "keep-going", false, "with --seeds, go on after a violation")
	cmd.Flags().StringVar(&f.resume, "resume", "", "with --seeds, keep in this `FILE` how far it is, and go on from there if it is there")
	cmd.Flags().BoolVar(&f.twice, "twice", false, "make each run two times, and tell where the two part if they are not the same")
	cmd.Flags().BoolVar(&f.coverage, "coverage", false, "tell what of a server was reached, and what never was")
	cmd.Flags().StringVar(&f.table, "coverage-table", "", "write how often each thing was reached to this `FILE`")
	cmd.Flags().StringVar(&f.trace, "trace", "", "write what happened to this `FILE`, one JSON object a line")
	return cmd
}

// check refuses flags that do not go together.
func (f *runFlags) check(cmd *cobra.Command, scenario string) error {
	given := cmd.Flags().Changed
	refuse := func(hint, format string, args ...any) error {
		usage := cli.Usagef(format, args...)
		usage.Hint = hint
		return usage
	}
	switch {
	case given("seed") && given("seeds"):
		return refuse("give one of them", "--seed is one run and --seeds are many")
	case given("trace") && given("seeds"):
		return refuse(fmt.Sprintf("write the trace of one run: grasp-sim run %s --seed %d --trace %s", quoted(scenario), f.seeds.first, quoted(f.trace)),
			"--trace is of one run and --seeds are many")
	case given("resume") && (f.coverage || f.table != ""):
		return refuse("leave one of them out", "--resume keeps the sums of a sweep, and not what --coverage tells")
	}
	for _, name := range []string{"workers", "keep-going", "resume"} {
		if given(name) && !given("seeds") {
			return refuse("give --seeds too, such as --seeds 1-1000, or leave it out", "--%s goes with --seeds", name)
		}
	}
	return nil
}

// program names this program, its version and its commit.
func program(cmd *cobra.Command) string {
	by := cli.ThisBuild()
	return fmt.Sprintf("%s %s, commit %s", cmd.Root().Name(), by.Version, cmp.Or(by.Commit, "unknown (go build in a checkout knows it)"))
}

// runOnce makes one run and tells what came of it.
func runOnce(ctx context.Context, stdout io.Writer, r *runner, seed uint64, tracePath string) error {
	once := r.traced
	if r.checked {
		once = func(ctx context.Context, seed uint64, path string) (sim.Outcome, error) {
			return r.twice(ctx, stdout, seed, path)
		}
	}
	outcome, err := once(ctx, seed, tracePath)
	if err != nil {
		return err
	}
	var failed *failure
	if len(outcome.Violations) > 0 {
		f, err := r.fail(ctx, seed, outcome)
		if err != nil {
			return err
		}
		failed = &f
	}
	s, err := r.of(seed)
	if err != nil {
		return err
	}
	out := bufio.NewWriter(stdout)
	r.reached.take(seed)
	if err := r.reached.report(out, r.table, fmt.Sprintf("seed %d of %s", seed, s.Name), fmt.Sprintf("%s --seed %d", r.scenario.command(), seed)); err != nil {
		return err
	}
	report(out, s, seed, outcome, failed)
	if err := out.Flush(); err != nil {
		return fmt.Errorf("write report: %w", err)
	}
	if failed != nil {
		return &cli.ExitError{Code: exitViolated}
	}
	return nil
}
