package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"maps"
	"net/http"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/record"
	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/conformance/suite"
	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/internal/cli"
)

func doctorCommand() *cobra.Command {
	opts := options{slowness: 1, lineage: spec.DefaultLineage.String()}
	c := &cobra.Command{
		Use:   "doctor [URL]",
		Short: "Say what of a server can be judged, what not and why, and what a run would cost; writes nothing to it",
		Long: `doctor reads the relay information document of a server, opens a connection, looks at its clock and at what browsers need, and
says which checks a run with the same flags would run, what that would cost the server, and what would unlock the others. It
publishes nothing and pushes nothing. With --launch it starts the server itself, as a run does, and ends it.

Exit codes: 0 it can be judged, 2 the command line cannot be used, 4 it was not reached.`,
		Example: "  grasp-check doctor wss://grasp.example.org\n  grasp-check doctor --write --time-budget 36m wss://grasp.example.org\n" +
			"  grasp-check doctor --launch 'my-server --listen {addr} --data {data}'",
		Args: cobra.MaximumNArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error { return doctor(cmd, args, opts) },
	}
	f := c.Flags()
	f.Var((*prefixes)(&opts.id), "id", idUsage("ask about that"))
	f.StringVar(&opts.tags, "tags", "", "ask about what a tag `EXPR` selects")
	f.StringVar(&opts.maintainers, "maintainers", "", "judge by this `MODEL` of maintainers, legacy or reciprocal")
	f.BoolVar(&opts.write, "write", false, "the run may publish and push to servers that are not on loopback")
	f.BoolVar(&opts.allowHostile, "allow-hostile", false, "the run may send hostile input to them")
	f.DurationVar(&opts.timeBudget, "time-budget", 0, "the run may wait up to `DURATION` in real time")
	f.StringVar(&opts.reachback, "reachback", "", reachbackUsage)
	opts.launch.flags(f, "look at it")
	opts.manners.limitFlags(c)
	opts.access.flag(c)
	caFlag(c, &opts.ca)
	return c
}

// doctor looks at one server and tells what it has seen.
func doctor(cmd *cobra.Command, args []string, opts options) error {
	switch launched := opts.launch.command != ""; {
	case len(args) == 0 && !launched || len(args) > 0 && launched:
		usage := cli.Usagef("doctor looks at one server: at a URL, or by --launch")
		usage.Hint = "write one of them: a URL such as ws://127.0.0.1:7334, or --launch 'COMMAND'"
		return usage
	case !launched && !isURL(args[0]):
		usage := cli.Usagef("target %q: not a URL", args[0])
		usage.Hint = "write the URL with its scheme, such as ws://127.0.0.1:7334; sim and serve can be judged in full"
		return usage
	}
	opts.seed = "doctor"
	cfg, err := opts.config()
	if err != nil {
		return err
	}
	if err := opts.manners.config(&cfg); err != nil {
		return err
	}
	if cfg.Keys, err = opts.access.read(); err != nil {
		return err
	}
	all, err := openings(args, opts, cmd.ErrOrStderr())
	if err != nil {
		return err
	}
	t, end, err := all[0].open(cmd.Context())
	if err != nil {
		return err
	}
	defer func() { _ = end() }() // what is odd about the end of one that was launched is told
	s, err := suite.Inspect(cmd.Context(), t, cfg)
	if err != nil {
		return fmt.Errorf("inspect %s: %w", t.ServiceURL(), err)
	}
	if s.Down != "" {
		return &cli.ExitError{
			Code: record.ExitUnreachable, Err: fmt.Errorf("target %s is down: %s", t.ServiceURL(), s.Down),
			Hint: whyDown(s.Down) + "; --ca FILE trusts a certificate of your own",
		}
	}
	out := cmd.OutOrStdout()
	fmt.Fprintf(out, "%s  %s\n", t.ServiceURL(), s.Software)
	away := writeSigns(cmd.Context(), out, t, s, len(cfg.Keys))
	writePrice(out, s, opts, away)
	writeHindrances(out, s)
	return nil
}

// writeSigns tells how the server answers, and returns how far away it is.
func writeSigns(ctx context.Context, out io.Writer, t target.Target, s *suite.Survey, keysGiven int) time.Duration {
	sign := func(good bool, what, text string) {
		mark := "+"
		if !good {
			mark = "-"
		}
		fmt.Fprintf(out, "  %s %-21s %s\n", mark, what, text)
	}
	c := client.New(t, client.Options{Door: s.Door})
	if s.Document == nil {
		sign(false, "information document", "there is none (NIP-11): what it decides is not judged")
	} else {
		sign(len(s.GRASPs) > 0, "information document", "NIPs "+numbers(s.NIPs, "%d")+"; "+cmp.Or(numbers(s.GRASPs, "GRASP-%02d"), "no GRASP is listed"))
	}
	switch {
	case s.Shut != "":
		sign(false, "members", "they alone are let in, and we are not: "+s.Shut)
	case s.Door != nil:
		sign(true, "members", "let in as "+s.Door.Key.Npub)
	}
	began := time.Now()
	relay, o := c.Relay(ctx)
	if o == nil {
		defer relay.Close()
		began = time.Now()
		one := 1
		_, o = relay.Query(ctx, client.Filter{Kinds: []int{client.KindAnnouncement}, Limit: &one})
	}
	away := time.Since(began)
	if o != nil {
		sign(false, "WebSocket", o.String())
	} else {
		sign(true, "WebSocket", fmt.Sprintf("answers a question within %v", max(away.Round(time.Millisecond), time.Millisecond)))
	}
	answer, is := c.Get(ctx, "/", http.Header{"Accept": {"application/nostr+json"}, "Origin": {"https://example.org"}}).(client.HTTPAnswer)
	allowed := answer.Header.Get("Access-Control-Allow-Origin")
	sign(allowed != "", "CORS", cmp.Or(allowed, "no Access-Control-Allow-Origin: browsers cannot use it"))
	if date, err := http.ParseTime(answer.Header.Get("Date")); is && err == nil {
		const tolerated = 5 * time.Second
		off := time.Until(date).Round(time.Second)
		sign(off.Abs() <= tolerated, "clock", offBy(off)+"; events are dated by the clock of this machine")
	}
	version, err := exec.CommandContext(ctx, "git", "version").Output()
	if err != nil {
		sign(false, "git on this machine", "not found: what people see with it is not judged")
	} else {
		sign(true, "git on this machine", strings.TrimSpace(string(version)))
	}
	limitation, _ := s.Document["limitation"].(map[string]any)
	for _, wall := range []string{"auth_required", "payment_required", "restricted_writes"} {
		if closed, _ := limitation[wall].(bool); closed && s.Door == nil {
			hint := "if that is about keys, give some by --keys or --nsec"
			if keysGiven > 0 {
				hint = "what the given keys may write, a run finds out"
			}
			sign(wall == "restricted_writes", "writers", wall+" is stated: "+hint)
			break
		}
	}
	return away
}

// some is a number of things in words.
func some(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}

// offBy says how far a clock is from that of this machine; HTTP tells whole seconds, so that one is no difference.
func offBy(off time.Duration) string {
	switch {
	case off.Abs() <= time.Second:
		return "that of this machine, within a second"
	case off < 0:
		return fmt.Sprintf("%v behind", -off)
	}
	return fmt.Sprintf("%v ahead", off)
}

func numbers(list []int, form string) string {
	var texts []string
	for _, n := range list {
		texts = append(texts, fmt.Sprintf(form, n))
	}
	return strings.Join(texts, ", ")
}

// writePrice tells what a run would cost.
func writePrice(out io.Writer, s *suite.Survey, opts options, away time.Duration) {
	e := s.Judged
	fmt.Fprintf(out, "can be judged: %d of %d checks\n  by %s, %s to %s, %s sent, in about %s minutes\n", e.Checks, s.Checks,
		some(e.Events, "event", "events"), some(e.Pushes, "push", "pushes"), some(e.Repositories, "repository", "repositories"), suite.SizeText(e.Bytes), minutes(e.Took(away, parallelSockets)))
	switch {
	case e.Events == 0 || opts.manners.noCleanup:
	case strings.Contains(opts.launch.command, "{data}"):
		fmt.Fprintln(out, "what is written on {data} is gone with it at the end")
	case slices.Contains(s.NIPs, 9):
		fmt.Fprintln(out, "what is written is removed at the end, by requests that stay (NIP-09)")
	default:
		fmt.Fprintln(out, "what is written may stay: deletion requests (NIP-09) are not listed")
	}
}

// waitsFor finds how long a check waits in what unlocks it.
var waitsFor = regexp.MustCompile(`^--time-budget (\d+)m$`)

// hindrancesShown bounds the lines about what is not judged: all of it is to fit on one screen.
const hindrancesShown = 11

// writeHindrances tells what is not judged, why, and what would unlock it, the most first.
func writeHindrances(out io.Writer, s *suite.Survey) {
	type group struct{ reason, unlock string }
	count, waits := make(map[group]int), make(map[int]int)
	for _, h := range s.Hindered {
		g := group{h.Reason, h.Unlock}
		switch wait := waitsFor.FindStringSubmatch(h.Unlock); {
		case wait != nil:
			var m int
			_, _ = fmt.Sscan(wait[1], &m) // digits
			waits[m]++
			continue
		case h.Verdict == suite.SimOnly:
			g = group{"they need a world of their own", "judge sim"}
		case h.Verdict == suite.NotApplicable:
			g.reason = "they do not apply: " + strings.TrimPrefix(h.Reason, "condition does not hold: ")
		case strings.HasPrefix(h.Unlock, "--max-events"), strings.HasPrefix(h.Unlock, "--max-bytes"):
			flag, _, _ := strings.Cut(h.Unlock, " ")
			g = group{"they would write more than there may be", "a greater " + flag}
		case h.Unlock == "--heavy":
			g = group{"they push tens of megabytes", h.Unlock}
		}
		count[g]++
	}
	if len(waits) > 0 {
		var budgets []string
		all := 0
		for _, m := range slices.Sorted(maps.Keys(waits)) {
			all += waits[m]
			budgets = append(budgets, fmt.Sprintf("%dm (%d)", m, all))
		}
		if len(budgets) > 3 {
			budgets = []string{budgets[0], budgets[len(budgets)/2], budgets[len(budgets)-1]}
		}
		count[group{"they wait in real time", "--time-budget " + strings.Join(budgets, ", ")}] = all
	}
	groups := slices.SortedFunc(maps.Keys(count), func(a, b group) int {
		return cmp.Or(cmp.Compare(count[b], count[a]), cmp.Compare(a.reason, b.reason))
	})
	if len(groups) > 0 {
		fmt.Fprintln(out, "not judged by this run:")
	}
	for i, g := range groups {
		if i == hindrancesShown {
			fmt.Fprintf(out, "  ... and for %s\n", some(len(groups)-i, "more reason", "more reasons"))
			break
		}
		fmt.Fprintf(out, "  %5d  %s%s\n", count[g], g.reason, prefixed(": ", g.unlock))
	}
}

func prefixed(prefix, text string) string {
	if text == "" {
		return ""
	}
	return prefix + text
}
