package core_test

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
)

// What a step costs as a server grows. Each line of sizes should be flat, or grow by as little as a logarithm does:
//
//	go test ./reference/core -run '^$' -bench Growth -benchtime 200x

// sizes are all of them, or the two smallest where it is to be seen that something is measured, and not what.
func sizes(all ...int) []int {
	if testing.Short() {
		return all[:2]
	}
	return all
}

// steps times the steps of one input each. The longest is a metric beside their mean.
func steps(b *testing.B, s *core.Server, in func(n int) core.Input) {
	b.Helper()
	var out core.Effects
	var longest time.Duration
	n := 0
	for b.Loop() {
		i := in(n)
		n++
		out.Reset()
		begin := time.Now()
		s.Step(start, i, &out)
		longest = max(longest, time.Since(begin))
		for k := 0; k < len(out.List); k++ { // the shell's part is not the step's
			if e, ok := out.List[k].(core.SearchEvents); ok {
				b.StopTimer()
				var more core.Effects
				s.Step(start, core.EventsFound{Request: e.Request, Found: e.Question.Find()}, &more)
				b.StartTimer()
			}
		}
	}
	b.ReportMetric(float64(longest.Microseconds())/1000, "ms-longest")
}

// grown is a comment of somebody on something, one of many.
func grown(n int) *nostr.Event {
	ev := &nostr.Event{
		PubKey: string(key(fmt.Sprint("author", n%5_000))), Kind: []int{1111, 1621, 1, 7}[n%4],
		CreatedAt: nostr.Timestamp(start.Unix() - 2_000_000 + int64(n)),
		Tags:      nostr.Tags{{"e", fmt.Sprintf("%064x", n/10)}, {"p", string(key(fmt.Sprint("author", n%99)))}, {"t", fmt.Sprint(n % 3)}},
	}
	ev.ID = fmt.Sprintf("%064x", n+1_000_000_000)
	return ev
}

func BenchmarkGrowthOfEvents(b *testing.B) {
	for _, size := range sizes(1_000, 10_000, 100_000, 1_000_000) {
		stored := make([]*nostr.Event, size)
		for n := range stored {
			stored[n] = grown(n)
		}
		s := runningAs(b, core.Config{StoredMax: 2_000_000, StoredBytesMax: 1 << 40}, core.Started{Stored: stored})
		ask := func(name, format string, args func(n int) []any) {
			b.Run(fmt.Sprintf("%s/%d", name, size), func(b *testing.B) {
				steps(b, s, func(n int) core.Input {
					return core.Message{Conn: 1, Msg: relay.Decode(fmt.Appendf(nil, format, args(n)...)), SigOK: true}
				})
			})
		}
		one := func(n int) []any { return []any{stored[n*7919%size].ID} }
		none := func(int) []any { return nil }
		ask("req-id", `["REQ","a",{"ids":["%s"]}]`, one)
		ask("req-tag", `["REQ","a",{"#e":["%s"],"kinds":[1111]}]`, func(n int) []any { return []any{fmt.Sprintf("%064x", n%(size/10))} })
		ask("req-newest", `["REQ","a",{"kinds":[1111],"limit":100}]`, none)
		ask("req-nothing", `["REQ","a",{"kinds":[1111],"#t":["1"],"#p":["nobody","`+string(key("author0"))+`"],"authors":["`+string(key("author1"))+`"]}]`, none)
		ask("req-wide-nothing", `["REQ","a",{"kinds":[1,7,1111,1621],"#t":["0","1","2"],"#x":["0"]},{"kinds":[1,7],"#t":["0","1","2"],"until":1}]`, none)
		ask("req-much-nothing", `["REQ","a",{"kinds":[1111,1],"#t":["0","2"],"authors":["`+string(key("nobody"))+`"]},{"#t":["0","1"],"kinds":[1621,1111],"#p":["`+string(key("author98"))+`","`+string(key("author97"))+`"]}]`, none)
		ask("count-all", `["COUNT","a",{}]`, none)
		ask("count-part", `["COUNT","a",{"kinds":[1,1111],"#t":["0","1"]}]`, none)
		ask("neg-open", `["NEG-OPEN","n",{"kinds":[1111],"#t":["0"]},"6100000200"]`, none)
		r := rand.New(rand.NewPCG(1, uint64(size)))
		id := 0
		for _, c := range []struct {
			name string
			at   func() int64
		}{
			{"store-newest", start.Unix},
			{"store-old", func() int64 { return start.Unix() - 2_000_000 + r.Int64N(int64(size)) }},
		} {
			b.Run(fmt.Sprintf("%s/%d", c.name, size), func(b *testing.B) {
				steps(b, s, func(int) core.Input {
					id++
					ev := &nostr.Event{
						ID: fmt.Sprintf("%064x", id), PubKey: string(key(fmt.Sprint("list", id))), Kind: 10317, CreatedAt: nostr.Timestamp(c.at()),
						Tags: nostr.Tags{{"t", "0"}},
					}
					return core.Message{Conn: 2, Msg: relay.Event{Event: ev, IDOK: true}, SigOK: true}
				})
			})
		}
	}
}

func BenchmarkGrowthOfSubscriptions(b *testing.B) {
	for _, conns := range sizes(100, 1_000, 10_000) {
		s := runningAs(b, core.Config{}, core.Started{Stored: notes(10)})
		for c := range conns {
			conn := core.ConnID(10 + c)
			effects(s, start, core.ConnOpened{Conn: conn})
			for sub := range 10 {
				say(s, start, conn, fmt.Sprintf(`["REQ","%d",{"kinds":[30617,30618],"#d":["%d-%d"]},{"#a":["30617:%s:%d"]}]`,
					sub, c, sub, key(fmt.Sprint("author", c)), sub))
			}
		}
		b.Run(fmt.Sprintf("store/%d", conns), func(b *testing.B) {
			steps(b, s, func(n int) core.Input {
				return core.Message{Conn: 1, Msg: relay.Event{Event: list(n), IDOK: true}, SigOK: true}
			})
		})
		b.Run(fmt.Sprintf("req-close/%d", conns), func(b *testing.B) {
			steps(b, s, func(n int) core.Input {
				if n%2 == 1 {
					return core.Message{Conn: 1, Msg: relay.Decode([]byte(`["CLOSE","x"]`))}
				}
				return core.Message{Conn: 1, Msg: relay.Decode([]byte(`["REQ","x",{"kinds":[30617],"limit":1}]`))}
			})
		})
		b.Run(fmt.Sprintf("connect/%d", conns), func(b *testing.B) {
			steps(b, s, func(n int) core.Input {
				if n%2 == 1 {
					return core.ConnClosed{Conn: 9}
				}
				return core.ConnOpened{Conn: 9}
			})
		})
	}
}

func BenchmarkGrowthOfRepositories(b *testing.B) {
	for _, size := range sizes(1_000, 10_000, 100_000) {
		in := core.Started{}
		for n := range size {
			id := repo.ID{Owner: key(owner(n)), Identifier: fmt.Sprint("demo", n)}
			announcement := &nostr.Event{PubKey: string(id.Owner), Kind: 30617, CreatedAt: nostr.Timestamp(start.Unix() - 10), Tags: nostr.Tags{
				{"d", id.Identifier}, {"clone", "https://grasp.test" + id.Path()}, {"relays", "wss://grasp.test"},
			}}
			announcement.ID = announcement.GetID()
			in.Stored = append(in.Stored, announcement)
			in.Repositories = append(in.Repositories, core.RepositoryRefs{ID: id})
		}
		s := newShell(b)
		s.limit = func(cfg *core.Config) { cfg.StoredMax, cfg.StoredBytesMax = 2_000_000, 1<<40 }
		for _, ev := range in.Stored {
			s.stored[ev.ID] = ev
		}
		for _, r := range in.Repositories {
			s.repos[r.ID] = &bare{refs: map[string]repo.OID{}, head: repo.HeadNew, objects: map[repo.OID]bool{}}
		}
		s.boot()
		who := func(n int) string { return owner(n * 7919 % size) }
		sign := func(n, kind int, tags ...nostr.Tag) core.Input {
			ev := &nostr.Event{PubKey: string(key(who(n))), Kind: kind, CreatedAt: nostr.Timestamp(start.Unix() + int64(n)), Tags: tags}
			ev.ID = ev.GetID()
			return core.Message{Conn: 1, Msg: relay.Event{Event: ev, IDOK: true}, SigOK: true}
		}
		for _, c := range []struct {
			name string
			in   func(n int) core.Input
		}{
			{"announcement", func(n int) core.Input {
				id := repo.ID{Owner: key(who(n)), Identifier: fmt.Sprint("new", n)}
				return sign(n, 30617, nostr.Tag{"d", id.Identifier}, nostr.Tag{"clone", "https://grasp.test" + id.Path()}, nostr.Tag{"relays", "wss://grasp.test"})
			}},
			{"state", func(n int) core.Input {
				return sign(n, 30618, nostr.Tag{"d", fmt.Sprint("demo", n*7919%size)}, nostr.Tag{"refs/heads/main", string(oid(fmt.Sprint(n)))})
			}},
			{"issue", func(n int) core.Input {
				return sign(n, 1621, nostr.Tag{"a", "30617:" + string(key(who(n))) + ":" + fmt.Sprint("demo", n*7919%size)})
			}},
		} {
			b.Run(fmt.Sprintf("%s/%d", c.name, size), func(b *testing.B) {
				var longest time.Duration
				n := 0
				for b.Loop() {
					i := c.in(n)
					n++
					begin := time.Now()
					s.step(i) // and the answers of the shell
					longest = max(longest, time.Since(begin))
					s.log.Reset()
				}
				b.ReportMetric(float64(longest.Microseconds())/1000, "ms-longest")
			})
		}
	}
}

// BenchmarkGrowthOfVanishing is a request to vanish of an author of so many events, from the request to its answer. The longest
// step is a metric beside the whole, and the one in the middle, which other programs on the machine make no longer.
func BenchmarkGrowthOfVanishing(b *testing.B) {
	for _, size := range sizes(1_000, 10_000, 100_000) {
		stored := make([]*nostr.Event, size)
		for n := range stored {
			stored[n] = noteBy("alice", n)
		}
		request := core.Message{Conn: 1, Msg: relay.Event{IDOK: true, Event: &nostr.Event{
			ID: "request", PubKey: string(key("alice")), Kind: 62, CreatedAt: nostr.Timestamp(start.Unix() + int64(size)), Tags: nostr.Tags{toAll},
		}}, SigOK: true}
		b.Run(fmt.Sprint(size), func(b *testing.B) {
			var all []time.Duration
			for b.Loop() {
				b.StopTimer()
				s := runningAs(b, core.Config{StoredMax: 2_000_000, StoredBytesMax: 1 << 40}, core.Started{Stored: stored})
				now, in := start, core.Input(request)
				var out core.Effects
				b.StartTimer()
				for more := true; more; now, more = s.Deadline() {
					out.Reset()
					begin := time.Now()
					s.Step(now, in, &out)
					all = append(all, time.Since(begin))
					in = core.TimerFired{}
				}
			}
			slices.Sort(all)
			b.ReportMetric(float64(all[len(all)-1].Microseconds())/1000, "ms-longest")
			b.ReportMetric(float64(all[len(all)/2].Microseconds())/1000, "ms-middle")
			b.ReportMetric(float64(len(all))/float64(b.N), "steps")
		})
	}
}
