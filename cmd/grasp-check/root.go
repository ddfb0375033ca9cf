package main

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/features"
	"github.com/graspkit/graspkit/internal/cli"
	"github.com/graspkit/graspkit/reference/repo"
)

// options are the flags of a run.
type options struct {
	id, tags     string
	out          *outputs
	lineage      string
	maintainers  string
	seed         string
	nonce        nonce
	write        bool
	allowHostile bool
	strict       bool
	quiet        bool
	verbose      bool
	timeBudget   time.Duration
	parallel     int
	slowness     int
	reachback    string
	huntRate     int // of sim and serve; zero is the usual one
	launch       launchOptions
	gate         gateOptions
	image        imageOptions
	operated     operatedOptions
	manners      mannersOptions
	access       keyOptions
	ca           string
}

func rootCommand() *cobra.Command {
	opts := options{out: &outputs{}}
	root := &cobra.Command{
		Use:     "grasp-check [TARGET...]",
		Version: cli.ThisBuild().String(),
		Short:   "Judge GRASP servers by what a client can observe",
		Long: `grasp-check runs one suite of checks against GRASP servers and reports, requirement by requirement, what holds.

A TARGET is "sim" (the reference server in virtual time), "serve" (the reference server on real sockets), or the URL of
any server: http://, https://, ws:// or wss://. Without one, sim and serve are judged. A server that is not on loopback
is only read from, unless --write is given.

Some checks start git hosts on this machine and see whether the server asks them. A server on loopback is believed to
reach them; any other is told by --reachback how. Before the first such check a request has to come from a server that
is judged by its URL; without one, none of these checks is run.

With --launch, grasp-check starts a server itself, judges it, restarts and kills it where a check asks for that, and
ends it. In the words of the command {addr} stands for the address to listen on (127.0.0.1 and a free port), {host} and
{port} for its parts, {url} for where clients reach it, and {data} for a directory that is empty at first, the same after a
restart, and removed at the end. No shell reads the command. The process must stay in the foreground and end on SIGTERM.

With --image it does the same in a container, by an engine with the API of Docker that DOCKER_HOST names. In --env and
--image-cmd {addr}, {host} and {port} stand for where to listen inside, and {url} for where clients reach it.

A server by its URL is restarted and killed by --restart-cmd and --kill-cmd (with --start-cmd, if nothing else starts it
again), and --clock-cmd moves its clock. Restart and kill are tried once before the run: connections have to end, and the
server has to answer again. What has no effect is no power, and the checks that need it are blocked with the reason.

Exit codes: 0 nothing is violated and no MUST stayed inconclusive, 1 a MUST is violated, 2 the command line cannot be
used, 3 a fault of the suite or an inconclusive MUST, 4 a target was not reached or died, 5 with --fail-on blocked something
was not judged, 6 a failure that --known lists did not come, 130 the run was interrupted. Of several the first of 130, 1, 4,
3, 6 and 5 counts.

` + profileText(),
		Example: `  grasp-check
  grasp-check ws://127.0.0.1:7334 --json run.json --html run.html --junit run.xml
  grasp-check --launch 'grasp-sim serve --addr {addr} --data {data}'
  grasp-check https://grasp.example.com --write --time-budget 36m
  grasp-check sim --id G01-PURG
  grasp-check ws://127.0.0.1:7334 --profile smoke --fail-fast
  grasp-check ws://127.0.0.1:7334 --known known.yaml
  grasp-check explain G01-PURG-07`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, args []string) error { return judge(cmd, args, opts) },
	}
	f := root.Flags()
	f.Var((*prefixes)(&opts.id), "id", idUsage("run the requirements and checks"))
	f.StringVar(&opts.tags, "tags", "", "run the checks that a tag `EXPR` selects, such as '@G01-HEAD-01 or @hostile'")
	opts.out.flags(root)
	f.StringVar(&opts.lineage, "spec", spec.DefaultLineage.String(), "judge by this lineage of the text: A, B or `C`")
	f.StringVar(&opts.maintainers, "maintainers", "", "judge by this `MODEL` of maintainers, legacy or reciprocal; sim and serve follow it (they follow legacy, and of others none is known)")
	f.StringVar(&opts.seed, "seed", "", seedUsage)
	f.BoolVar(&opts.write, "write", false, "publish and push to servers that are not on loopback, too")
	f.BoolVar(&opts.allowHostile, "allow-hostile", false, "send hostile input to servers that are not on loopback, too")
	f.BoolVar(&opts.strict, "strict", false, "let a violated SHOULD count like a violated MUST")
	f.BoolVar(&opts.quiet, "quiet", false, "say nothing on stderr while checks are under way")
	f.BoolVarP(&opts.verbose, "verbose", "v", false, "tell every requirement and every finding at length")
	f.DurationVar(&opts.timeBudget, "time-budget", 0, "wait up to `DURATION` in real time, say 36m; checks that wait longer are not run")
	f.IntVar(&opts.parallel, "parallel", 0, "run `N` checks at a time (in each world of sim 1, of serve 2, 4 for a URL)")
	f.IntVar(&opts.slowness, "slowness", 1, "multiply the suite's own timeouts by `N` for slow servers")
	f.StringVar(&opts.reachback, "reachback", "", reachbackUsage)
	opts.launch.flags(f, "judge it")
	opts.gate.flags(root)
	opts.image.flags(f)
	opts.operated.flags(f)
	opts.nonce.flag(root)
	opts.manners.flag(root)
	opts.access.flag(root)
	caFlag(root, &opts.ca)
	root.AddCommand(
		listCommand(),
		planCommand(),
		explainCommand(),
		measureCommand(),
		reproCommand(),
		websocketCommand(),
		signCommand(),
		compareCommand(),
		cleanupCommand(),
		doctorCommand(),
		reportCommand(),
		schemaCommand(),
		cli.ManCommand(),
	)
	completions(root)
	return root
}

// config turns flags into the configuration of a run; what is wrong with them is an error of usage.
func (o options) config() (suite.Config, error) {
	lineage, ok := spec.ParseLineage(o.lineage)
	_, known := repo.ParseModel(o.maintainers)
	switch {
	case !known:
		return suite.Config{}, cli.Usagef("--maintainers %q: no such model, want legacy or reciprocal", o.maintainers)
	case !ok:
		return suite.Config{}, cli.Usagef("--spec %q: no such lineage, want A, B or C", o.lineage)
	case o.parallel < 0 || o.parallel > suite.ParallelMax:
		return suite.Config{}, cli.Usagef("--parallel %d: want 1 to %d", o.parallel, suite.ParallelMax)
	case o.slowness < 1 || o.slowness > slownessMax:
		return suite.Config{}, cli.Usagef("--slowness %d: want 1 to %d", o.slowness, slownessMax)
	case o.timeBudget < 0:
		return suite.Config{}, cli.Usagef("--time-budget %v: want a duration that is not negative", o.timeBudget)
	}
	cfg := suite.Config{
		Features: features.FS, Seed: o.seed, ID: o.id, Tags: o.tags, Profile: o.gate.profile, Lineage: lineage, Model: o.maintainers, Write: o.write,
		AllowHostile: o.allowHostile, TimeBudget: o.timeBudget, Parallel: o.parallel, Slowness: o.slowness,
		Clock: time.Now,
	}
	if _, _, err := suite.Select(cfg); err != nil {
		return suite.Config{}, selectionError(err)
	}
	return cfg, nil
}

// reachbackUsage is what --reachback says of itself.
const reachbackUsage = "the server reaches git hosts on this machine by `HOST`, a name or an address; none: it does not"

// slownessMax bounds --slowness.
const slownessMax = 100

// selectionError is the error of usage for a selection that cannot be run.
func selectionError(err error) error {
	if errors.Is(err, suite.ErrNoProfile) {
		return &cli.ExitError{Code: cli.ExitUsage, Err: err, Hint: "want one of " + strings.Join(suite.ProfileNames(), ", ")}
	}
	if errors.Is(err, suite.ErrNothingSelected) {
		return &cli.ExitError{
			Code: cli.ExitUsage, Err: err,
			Hint: `run "grasp-check list" for the ids, and "grasp-check list --checks" for the checks and their tags`,
		}
	}
	return &cli.ExitError{Code: cli.ExitUsage, Err: fmt.Errorf("select checks: %w", err), Hint: `write tags as '@G01-HEAD-01 and not @hostile'`}
}
