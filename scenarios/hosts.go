package scenarios

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"

	"github.com/graspkit/graspkit/internal/yamlfile"
	"github.com/graspkit/graspkit/sim/githost"
)

// The limits of hosts, hunts and arrivals.
const (
	HostsMax       = 64
	TroublesMax    = 100
	AnswerMax      = time.Hour // until a host answers, or may be asked again
	DelayMax       = 24 * time.Hour
	IdentifiersMax = 20_000
	EventsMax      = 1000
	URLsMax        = 200
)

// hosts reads the list of git hosts.
func (r *reader) hosts(s *Scenario) func(ast.Node) error {
	return r.list("hosts", HostsMax, func(n ast.Node) error {
		var h Host
		err := r.mapping("the host", n, []field{
			{"name", true, r.text(&h.Name, 253, "a host[:port] in lower case", func(string) bool { return true })},
			{"absent", false, r.yes(&h.Absent)},
			{"gone", false, r.duration(&h.Gone, 0, DurationMax)},
			{"back", false, r.duration(&h.Back, 0, DurationMax)},
			{"gone_as", false, r.text(&h.GoneAs, 8, "one of "+strings.Join(GoneAs(), ", "), func(s string) bool { return slices.Contains(GoneAs(), s) })},
			{"link", false, r.links("link", &h.Link)},
			{"delay", false, r.duration(&h.Delay, 0, AnswerMax)},
			{"lacking", false, r.share(&h.Lacking, whole)},
			{"late", false, r.duration(&h.Late, 0, DurationMax)},
			{"per_minute", false, r.count(&h.PerMinute, 1_000_000)},
			{"retry_after", false, r.duration(&h.RetryAfter, 0, AnswerMax)},
			{"erratic", false, r.yes(&h.Erratic)},
			{"trouble", false, r.trouble(&h.Trouble)},
		})
		if err != nil {
			return err
		}
		if err := h.Validate(); err != nil {
			return yamlfile.At(r.file, n, err.Error(), "correct it")
		}
		if slices.ContainsFunc(s.Hosts, func(other Host) bool { return other.Name == h.Name }) {
			return yamlfile.At(r.file, n, fmt.Sprintf("host %s appears twice", h.Name), "keep one of them")
		}
		if nameless := (githost.Config{Name: h.Name}); h.Absent && fmt.Sprint(h.Config) != fmt.Sprint(nameless) {
			return yamlfile.At(r.file, n, fmt.Sprintf("host %s is absent and has other fields", h.Name), "give it a name alone")
		}
		if h.Absent && h.Gone+h.Back > 0 || h.Back > 0 && h.Back <= h.Gone || h.Gone == 0 && h.Back > 0 {
			return yamlfile.At(r.file, n, fmt.Sprintf("host %s is back before it is gone, or was never there", h.Name), "let back come after gone")
		}
		s.Hosts = append(s.Hosts, h)
		return nil
	})
}

// trouble reads the ways in which a host misbehaves.
func (r *reader) trouble(out *[]githost.Trouble) func(ast.Node) error {
	return r.list("trouble", TroublesMax, func(n ast.Node) error {
		var t githost.Trouble
		var mode string
		err := r.mapping("the trouble", n, []field{
			{"mode", true, r.text(&mode, 64, "one of "+modes(), func(s string) bool {
				return s != "" && slices.Contains(githost.Modes(), githost.Mode(s))
			})},
			{"from", false, r.duration(&t.From, 0, DurationMax)},
			{"until", false, r.duration(&t.Until, 0, DurationMax)},
			{"period", false, r.duration(&t.Period, time.Second, DurationMax)},
			{"well", false, r.share(&t.Well, whole)},
			{"delay", false, r.duration(&t.Delay, 0, AnswerMax)},
			{"retry_after", false, r.duration(&t.RetryAfter, 0, AnswerMax)},
			{"redirect_to", false, r.text(&t.RedirectTo, 253, "an origin", func(s string) bool { return s != "" })},
			{"slow", false, r.duration(&t.Slow, time.Second, AnswerMax)},
		})
		if err != nil {
			return err
		}
		t.Mode = githost.Mode(mode)
		if err := t.Validate(); err != nil {
			return yamlfile.At(r.file, n, err.Error(), "correct it")
		}
		*out = append(*out, t)
		return nil
	})
}

// modes lists the words for what a host does wrong.
func modes() string {
	var words []string
	for _, m := range githost.Modes() {
		if m != githost.Serves {
			words = append(words, string(m))
		}
	}
	return strings.Join(words, ", ")
}

func (r *reader) hunt(h *Hunt) func(ast.Node) error {
	return func(n ast.Node) error {
		return r.mapping("hunt", n, []field{
			{"user_delay", false, r.duration(&h.UserDelay, time.Millisecond, DelayMax)},
			{"sync_delay", false, r.duration(&h.SyncDelay, time.Millisecond, DelayMax)},
			{"concurrent", false, r.count(&h.Concurrent, 1000)},
			{"rate", false, r.count(&h.Rate, 100_000)},
			{"bound", true, r.duration(&h.Bound, DurationMin, DurationMax)},
		})
	}
}

func (r *reader) arrivals(a *Arrivals) func(ast.Node) error {
	return func(n ast.Node) error {
		a.Events, a.URLs = 1, 1
		return r.mapping("arrivals", n, []field{
			{"identifiers", true, r.count(&a.Identifiers, IdentifiersMax)},
			{"within", true, r.duration(&a.Within, time.Millisecond, DurationMax)},
			{"events", false, r.count(&a.Events, EventsMax)},
			{"later", false, r.duration(&a.Later, 0, DurationMax)},
			{"apart", false, r.duration(&a.Apart, 0, DurationMax)},
			{"hosts", false, r.count(&a.Hosts, HostsMax)},
			{"urls", false, r.count(&a.URLs, URLsMax)},
			{"synced", false, r.share(&a.Synced, whole)},
			{"pull_requests", false, r.share(&a.PullRequests, whole)},
			{"twice", false, r.share(&a.Twice, whole)},
			{"odd", false, r.share(&a.Odd, whole)},
			{"moves", false, r.share(&a.Moves, whole)},
		})
	}
}

// checkWork holds what people do against the hosts that there are.
func (r *reader) checkWork(root ast.Node, s Scenario) error {
	say := func(what, hint string) error { return yamlfile.At(r.file, root, what, hint) }
	for _, h := range s.Hosts {
		if strings.HasPrefix(h.Name, "server") && strings.HasSuffix(h.Name, ".example") {
			return say(fmt.Sprintf("host %s has the name of a server", h.Name), "call it git1.example")
		}
	}
	if s.Sync.Bound > 0 && s.Servers == 1 && len(s.Relays) == 0 {
		return say("sync with one server", "write servers: 2, or more, or add relays")
	}
	if s.Arrivals.Identifiers == 0 {
		switch {
		case s.Repositories == 0:
			return say(`field "repositories" is missing from the scenario`, "add it, or arrivals")
		case s.Owner == (Actor{}) && s.Maintainer == (Actor{}) && s.Stranger == (Actor{}):
			return say(`field "actors" is missing from the scenario`, "add it, or arrivals")
		}
		return nil
	}
	listed := s.Arrivals.Hosts
	if listed == 0 {
		listed = len(s.Hosts)
	}
	switch {
	case len(s.Hosts) == 0:
		return say("arrivals without hosts", "add hosts that have the data")
	case s.Hunt == (Hunt{}):
		return say("arrivals without hunt", "add it, for nobody pushes their data")
	case listed > len(s.Hosts):
		return say(fmt.Sprintf("arrivals list %d hosts", listed), fmt.Sprintf("write at most %d, the number of hosts", len(s.Hosts)))
	case listed*s.Arrivals.URLs > URLsMax:
		return say(fmt.Sprintf("arrivals list %d URLs", listed*s.Arrivals.URLs), fmt.Sprintf("write at most %d, the product of hosts and urls", URLsMax))
	case s.Arrivals.Within > s.Duration-s.Arrivals.Apart-s.Arrivals.Later:
		return say("arrivals end after the scenario", "let within, later and apart fit into "+plain(s.Duration))
	case s.Repositories == 0 && (s.Owner != Actor{} || s.Maintainer != Actor{} || s.Stranger != Actor{}):
		return say("actors without repositories", "add repositories, or leave actors out")
	case s.Repositories > 0 && (s.Owner == Actor{} && s.Maintainer == Actor{} && s.Stranger == Actor{}):
		return say("repositories without actors", "add actors, or leave repositories out")
	}
	return nil
}
