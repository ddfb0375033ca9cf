package scenarios

import (
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"

	"github.com/graspkit/graspkit/internal/yamlfile"
	"github.com/graspkit/graspkit/sim/fault"
)

// Pause is the least time between the end of a fault that ends a server and the next one of the same server.
const Pause = time.Minute

// TimesMax is how many times as slow a disk may become.
const TimesMax = 10_000

// DriftMax is how far a clock may drift in a minute, either way.
const DriftMax = 10 * time.Second

// faults reads a list of faults.
func (r *reader) faults(s *Scenario) func(ast.Node) error {
	return func(n ast.Node) error {
		list, ok := n.(*ast.SequenceNode)
		if !ok || len(list.Values) > FaultsMax {
			return yamlfile.At(r.file, n, "faults is "+yamlfile.Describe(n), fmt.Sprintf("write a list of at most %d", FaultsMax))
		}
		for _, v := range list.Values {
			text, ok := scalar(v)
			if !ok {
				return yamlfile.At(r.file, v, "fault is "+yamlfile.Describe(v), "write a text such as \"crash server1 at 45m for 2m\"")
			}
			f, err := fault.Parse(text)
			if err != nil {
				return yamlfile.At(r.file, v, err.Error(), "write it as "+strings.Join(formsLike(text), " or as "))
			}
			s.Faults = append(s.Faults, f)
		}
		return nil
	}
}

// formsLike are the forms of faults that begin as a text does, or the first of all.
func formsLike(text string) []string {
	word, _, _ := strings.Cut(strings.TrimSpace(text), " ")
	var like []string
	for _, form := range fault.Forms() {
		if strings.HasPrefix(form, word+" ") {
			like = append(like, strconv.Quote(form))
		}
	}
	if like == nil {
		like = []string{strconv.Quote(fault.Forms()[0])}
	}
	return like
}

// checkFaults holds faults against the rest of the scenario.
func (r *reader) checkFaults(root ast.Node, s Scenario) error {
	for i, f := range s.Faults {
		if what, hint := misfit(f, s); what != "" {
			return yamlfile.At(r.file, root, fmt.Sprintf("fault %q: %s", f, what), hint)
		}
		for _, other := range s.Faults[:i] {
			if !f.Ends() || !other.Ends() || other.Server != f.Server || f.At == 0 || other.At == 0 {
				continue
			}
			if f.At < other.At+other.For+Pause && other.At < f.At+f.For+Pause {
				return yamlfile.At(r.file, root, fmt.Sprintf("fault %q comes while %q is not over", f, other), "leave "+plain(Pause)+" between them")
			}
		}
	}
	return nil
}

// misfit says what of a fault does not fit the scenario, and what to do; "" if all does.
func misfit(f fault.Fault, s Scenario) (what, hint string) {
	switch {
	case f.Server > s.Servers:
		return "there is no such server", fmt.Sprintf("name one of %d", s.Servers)
	case f.At > s.Duration || f.For > s.Duration-f.At:
		return "it ends after the scenario", "let it end by " + plain(s.Duration)
	case f.Of > f.At:
		return "it puts back what is not there yet", "let the backup be older than the fault"
	case f.Times > TimesMax:
		return "it makes a disk too slow", fmt.Sprintf("let it be at most %d times as slow", TimesMax)
	case f.Do == fault.Drift && (f.By > DriftMax || f.By < -DriftMax):
		return "it lets the clock drift too fast", "let it be at most " + plain(DriftMax) + " a minute"
	case f.By > DurationMax || f.By < -DurationMax:
		return "it sets the clock too far", "let it be at most " + plain(DurationMax)
	case f.Do == fault.Part && !s.knows(f.With):
		return "it parts from nobody", "name a server, a host, a relay, owner1, maintainer1 or stranger1 and so on, newcomers, " + fault.Names + " or " + fault.Everybody
	}
	return "", ""
}

// knows reports whether a node of the scenario has a name.
func (s Scenario) knows(node string) bool {
	if node == fault.Everybody || node == fault.Names || node == "newcomers" && s.Arrivals.Identifiers > 0 {
		return true
	}
	for _, h := range s.Hosts {
		if h.Name == node {
			return true
		}
	}
	for _, x := range s.Relays {
		if x.Name == node {
			return true
		}
	}
	numbered := func(prefix string, most int) bool {
		number, is := strings.CutPrefix(node, prefix)
		n, err := strconv.Atoi(number)
		return is && err == nil && n >= 1 && n <= most && strconv.Itoa(n) == number
	}
	return numbered("server", s.Servers) || numbered("owner", s.Repositories) || numbered("maintainer", s.Repositories) ||
		numbered("stranger", s.Repositories)
}
