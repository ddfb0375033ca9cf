package scenarios

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"

	"github.com/graspkit/graspkit/internal/yamlfile"
	"github.com/graspkit/graspkit/sim/network"
	"github.com/graspkit/graspkit/sim/relayhost"
)

// The limits of relays.
const (
	RelaysMax = 64
	TextMax   = 1000 // bytes that a relay says for a reason
)

// A Relay is a relay out there that is no GRASP server.
type Relay struct {
	relayhost.Config
	Link   network.Link
	Told   bool  // the operators of all servers name it
	Listed int64 // announcements of a million that list it
	Given  int64 // events of a million that people publish there, too
	Only   int64 // of those, events of a million that they publish at no server
}

// relays reads the list of relays.
func (r *reader) relays(s *Scenario) func(ast.Node) error {
	return r.list("relays", RelaysMax, func(n ast.Node) error {
		var x Relay
		var negentropy, limiting string
		err := r.mapping("the relay", n, []field{
			{"name", true, r.text(&x.Name, 253, "a host[:port] in lower case", func(string) bool { return true })},
			{"told", false, r.yes(&x.Told)},
			{"listed", false, r.share(&x.Listed, whole)},
			{"given", false, r.share(&x.Given, whole)},
			{"only", false, r.share(&x.Only, whole)},
			{"link", false, r.links("link", &x.Link)},
			{"delay", false, r.duration(&x.Delay, 0, AnswerMax)},
			{"negentropy", false, r.text(&negentropy, 10, "one of unknown, declines, ignores", func(s string) bool {
				return slices.Contains([]string{"unknown", "declines", "ignores"}, s)
			})},
			{"page_max", false, r.count(&x.PageMax, 1_000_000)},
			{"per_minute", false, r.count(&x.PerMinute, 1_000_000)},
			{"limiting", false, r.text(&limiting, 10, "notice", func(s string) bool { return s == string(relayhost.ByNotice) })},
			{"members", false, r.yes(&x.Members)},
			{"challenges", false, r.yes(&x.Challenges)},
			{"trouble", false, r.ailments(&x.Trouble)},
		})
		if err != nil {
			return err
		}
		x.Negentropy, x.Limiting = relayhost.Negentropy(negentropy), relayhost.Limiting(limiting)
		if err := x.Validate(); err != nil {
			return yamlfile.At(r.file, n, err.Error(), "correct it")
		}
		if slices.ContainsFunc(s.Relays, func(other Relay) bool { return other.Name == x.Name }) {
			return yamlfile.At(r.file, n, fmt.Sprintf("relay %s appears twice", x.Name), "keep one of them")
		}
		s.Relays = append(s.Relays, x)
		return nil
	})
}

// ailments reads the ways in which a relay misbehaves.
func (r *reader) ailments(out *[]relayhost.Trouble) func(ast.Node) error {
	var words []string
	for _, m := range relayhost.Modes()[1:] {
		words = append(words, string(m))
	}
	return r.list("trouble", TroublesMax, func(n ast.Node) error {
		var t relayhost.Trouble
		var mode string
		err := r.mapping("the trouble", n, []field{
			{"mode", true, r.text(&mode, 64, "one of "+strings.Join(words, ", "), func(s string) bool { return slices.Contains(words, s) })},
			{"from", false, r.duration(&t.From, 0, DurationMax)},
			{"until", false, r.duration(&t.Until, 0, DurationMax)},
			{"period", false, r.duration(&t.Period, time.Second, DurationMax)},
			{"delay", false, r.duration(&t.Delay, 0, AnswerMax)},
			{"after", false, r.count(&t.After, 1_000_000)},
			{"text", false, r.text(&t.Text, TextMax, "what a relay says", func(string) bool { return true })},
		})
		if err != nil {
			return err
		}
		t.Mode = relayhost.Mode(mode)
		if err := t.Validate(); err != nil {
			return yamlfile.At(r.file, n, err.Error(), "correct it")
		}
		*out = append(*out, t)
		return nil
	})
}

// checkRelays holds relays against the rest of the scenario.
func (r *reader) checkRelays(root ast.Node, s Scenario) error {
	for _, x := range s.Relays {
		switch {
		case s.Sync.Bound == 0:
			return yamlfile.At(r.file, root, "relays without sync", "add it, for nobody else asks them")
		case strings.HasPrefix(x.Name, "server") && strings.HasSuffix(x.Name, ".example"):
			return yamlfile.At(r.file, root, fmt.Sprintf("relay %s has the name of a server", x.Name), "call it relay1.example")
		case slices.ContainsFunc(s.Hosts, func(h Host) bool { return h.Name == x.Name }):
			return yamlfile.At(r.file, root, fmt.Sprintf("relay %s has the name of a host", x.Name), "call it relay1.example")
		}
	}
	return nil
}

func relayOut(x Relay) string {
	var troubles []string
	for _, t := range x.Trouble {
		troubles = append(troubles, flow(
			pair{"mode", string(t.Mode)}, pair{"from", length(t.From)}, pair{"until", length(t.Until)}, pair{"period", length(t.Period)},
			pair{"delay", length(t.Delay)}, pair{"after", number(t.After)}, pair{"text", text(t.Text)},
		))
	}
	return flow(
		pair{"name", text(x.Name)}, pair{"told", yes(x.Told)}, pair{"listed", portion(x.Listed)}, pair{"given", portion(x.Given)},
		pair{"only", portion(x.Only)}, pair{"link", link(x.Link)}, pair{"delay", length(x.Delay)},
		pair{"negentropy", string(x.Negentropy)}, pair{"page_max", number(x.PageMax)}, pair{"per_minute", number(x.PerMinute)},
		pair{"limiting", string(x.Limiting)}, pair{"members", yes(x.Members)},
		pair{"challenges", yes(x.Challenges)}, pair{"trouble", words(troubles)},
	)
}
