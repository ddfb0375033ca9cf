package scenarios

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/graspkit/graspkit/sim/githost"
	"github.com/graspkit/graspkit/sim/workload"
)

// Format writes a scenario as a file that Parse reads back to the same value. What has its default is left out.
func Format(s Scenario) []byte {
	var w writer
	w.line("name", s.Name)
	w.line("description", text(s.Description))
	w.line("duration", length(s.Duration))
	w.line("servers", number(s.Servers))
	w.line("origin", text(s.Origin))
	w.line("repositories", number(s.Repositories))
	w.line("actors", flow(
		pair{"owner", actor(s.Owner)}, pair{"maintainer", actor(s.Maintainer)}, pair{"stranger", actor(s.Stranger)},
	))
	w.line("people", people(s.People))
	w.line("links", link(s.Links))
	w.line("constants", constants(s.Constants))
	w.line("disk", flow(pair{"journal", length(s.Disk.Journal)}, pair{"order", length(s.Disk.Order)}))
	w.line("rules", flow(
		pair{"reciprocal", yes(s.Rules.Reciprocal)}, pair{"work", number(s.Rules.Work)}, pair{"authors", words(s.Rules.Authors)},
		pair{"blocked", words(s.Rules.Blocked)}, pair{"allowed", words(s.Rules.Allowed)}, pair{"archive", words(s.Rules.Archive)},
		pair{"archives", words(s.Rules.Archives)}, pair{"read_only", words(s.Rules.ReadOnly)},
		pair{"private", words(s.Rules.Private)}, pair{"members", words(s.Rules.Members)}, pair{"dismissed", words(s.Rules.Dismissed)},
		pair{"contributors", words(s.Rules.Contributors)},
	))
	for i, h := range s.Hosts {
		if i == 0 {
			w.WriteString("hosts:\n")
		}
		fmt.Fprintf(&w, "  - %s\n", host(h))
	}
	for i, x := range s.Relays {
		if i == 0 {
			w.WriteString("relays:\n")
		}
		fmt.Fprintf(&w, "  - %s\n", relayOut(x))
	}
	w.line("hunt", flow(
		pair{"user_delay", length(s.Hunt.UserDelay)}, pair{"sync_delay", length(s.Hunt.SyncDelay)},
		pair{"concurrent", number(s.Hunt.Concurrent)}, pair{"rate", number(s.Hunt.Rate)}, pair{"bound", length(s.Hunt.Bound)},
	))
	w.line("arrivals", arrivals(s.Arrivals))
	w.line("sync", flow(pair{"bootstrap", string(s.Sync.Bootstrap)}, pair{"bound", length(s.Sync.Bound)}))
	for i, f := range s.Faults {
		if i == 0 {
			w.WriteString("faults:\n")
		}
		fmt.Fprintf(&w, "  - %s\n", f)
	}
	if s.Seed != 0 {
		w.line("seed", strconv.FormatUint(s.Seed, 10))
	}
	if s.Only != nil {
		fmt.Fprintf(&w, "only: [%s]\n", strings.Join(s.Only, ", "))
	}
	fmt.Fprintf(&w, "invariants: [%s]\n", strings.Join(s.Invariants, ", "))
	return w.Bytes()
}

type writer struct{ bytes.Buffer }

// line writes a field that has a value.
func (w *writer) line(name, value string) {
	if value != "" {
		fmt.Fprintf(w, "%s: %s\n", name, value)
	}
}

type pair struct{ name, value string }

// flow is a mapping of the pairs that have a value, or "" if none has.
func flow(pairs ...pair) string {
	var parts []string
	for _, p := range pairs {
		if p.value != "" {
			parts = append(parts, p.name+": "+p.value)
		}
	}
	if parts == nil {
		return ""
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// words is a list of words.
func words(list []string) string {
	if list == nil {
		return ""
	}
	return "[" + strings.Join(list, ", ") + "]"
}

func text(s string) string {
	if s == "" {
		return ""
	}
	return strconv.Quote(s)
}

func number(n int) string {
	if n == 0 {
		return ""
	}
	return strconv.Itoa(n)
}

func length(d time.Duration) string {
	if d == 0 {
		return ""
	}
	return plain(d)
}

// portion writes parts of a million in percent.
func portion(parts int64) string {
	if parts == 0 {
		return ""
	}
	s := fmt.Sprintf("%d.%04d", parts/10_000, parts%10_000)
	return strings.TrimSuffix(strings.TrimRight(s, "0"), ".") + "%"
}

func yes(b bool) string {
	if b {
		return "true"
	}
	return ""
}

func actor(a Actor) string { return flow(pair{"every", length(a.Every)}) }

func people(p workload.Profile) string {
	return flow(
		pair{"maintainers", number(p.Maintainers)}, pair{"chain", string(p.Chain)}, pair{"identifiers", number(p.Identifiers)},
		pair{"owners", number(p.Owners)}, pair{"keys", number(p.Keys)}, pair{"aliases", yes(p.Aliases)}, pair{"dated", portion(p.Dated)},
		pair{"partly", portion(p.Partly)}, pair{"listing", portion(p.Listing)}, pair{"retried", portion(p.Retried)},
		pair{"team", weights(p.Team)}, pair{"stranger", weights(p.Stranger)},
	)
}

func weights(w workload.Weights) string {
	var pairs []pair
	for op := range workload.Ops {
		pairs = append(pairs, pair{op.String(), number(w[op])})
	}
	return flow(pairs...)
}

func constants(c Constants) string {
	return flow(
		pair{"purgatory_life", length(c.PurgatoryLife)}, pair{"held_max", number(c.HeldMax)},
		pair{"held_bytes_max", number(c.HeldBytesMax)}, pair{"held_per_key_max", number(c.HeldPerKeyMax)},
		pair{"held_bytes_per_key_max", number(c.HeldBytesPerKeyMax)}, pair{"stored_max", number(c.StoredMax)},
		pair{"stored_bytes_max", number(c.StoredBytesMax)}, pair{"placeholders_max", number(c.PlaceholdersMax)},
		pair{"tombstones_max", number(c.TombstonesMax)}, pair{"expired_max", number(c.ExpiredMax)},
		pair{"search_at_once", number(c.SearchAtOnce)},
	)
}

func host(h Host) string {
	var troubles []string
	for _, t := range h.Trouble {
		troubles = append(troubles, trouble(t))
	}
	list := ""
	if troubles != nil {
		list = "[" + strings.Join(troubles, ", ") + "]"
	}
	return flow(
		pair{"name", text(h.Name)}, pair{"absent", yes(h.Absent)}, pair{"gone", length(h.Gone)}, pair{"back", length(h.Back)}, pair{"gone_as", text(h.GoneAs)},
		pair{"link", link(h.Link)},
		pair{"delay", length(h.Delay)}, pair{"lacking", portion(h.Lacking)}, pair{"late", length(h.Late)},
		pair{"per_minute", number(h.PerMinute)}, pair{"retry_after", length(h.RetryAfter)},
		pair{"erratic", yes(h.Erratic)}, pair{"trouble", list},
	)
}

func link(l Links) string {
	return flow(
		pair{"latency", length(l.Latency)}, pair{"jitter", length(l.Jitter)}, pair{"tail", portion(l.Tail)},
		pair{"tail_delay", length(l.TailDelay)}, pair{"bandwidth", number(int(l.Bandwidth))}, pair{"loss", portion(l.Loss)},
		pair{"duplicate", portion(l.Duplicate)},
	)
}

func trouble(t githost.Trouble) string {
	return flow(
		pair{"mode", string(t.Mode)}, pair{"from", length(t.From)}, pair{"until", length(t.Until)},
		pair{"period", length(t.Period)}, pair{"well", portion(t.Well)}, pair{"delay", length(t.Delay)},
		pair{"retry_after", length(t.RetryAfter)}, pair{"redirect_to", text(t.RedirectTo)}, pair{"slow", length(t.Slow)},
	)
}

func arrivals(a Arrivals) string {
	return flow(
		pair{"identifiers", number(a.Identifiers)}, pair{"within", length(a.Within)}, pair{"events", number(a.Events)},
		pair{"later", length(a.Later)}, pair{"apart", length(a.Apart)}, pair{"hosts", number(a.Hosts)},
		pair{"urls", number(a.URLs)}, pair{"synced", portion(a.Synced)}, pair{"pull_requests", portion(a.PullRequests)},
		pair{"twice", portion(a.Twice)}, pair{"odd", portion(a.Odd)}, pair{"moves", portion(a.Moves)},
	)
}
