package defect

import (
	"slices"
	"strings"
	"sync/atomic"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/policy"
	"github.com/graspkit/graspkit/reference/relay"
)

// A Contextual is a plain mistake that is made in one context alone: whoever judges a rule only where it is usually met does not see
// it.
type Contextual struct {
	Defect
	// Harmless is the same without the mistake.
	Harmless Defect
	// Met is how often something was in the context where the mistake is made, or would be.
	Met func() int
}

// A deed is a plain mistake, made with what is true of something.
type deed[T any] struct {
	name string
	made func(in func(T) bool) func() Filter
}

// A setting is a context: what is true of an event, a query or a push. It may remember what was there before.
type setting[T any] struct {
	name string
	of   func() func(T) bool
}

// always is a setting that remembers nothing.
func always[T any](name string, is func(T) bool) setting[T] {
	return setting[T]{name, func() func(T) bool { return is }}
}

// Contextuals returns each plain mistake in each context, in an order that stays.
func Contextuals() []Contextual {
	return slices.Concat(
		contextual(eventDeeds(), eventSettings()),
		contextual(queryDeeds(), querySettings()),
		contextual(pushDeeds(), pushSettings()),
	)
}

func contextual[T any](deeds []deed[T], settings []setting[T]) (all []Contextual) {
	for _, d := range deeds {
		for _, s := range settings {
			var met atomic.Int64
			in := func(harm bool) func() Filter {
				return func() Filter {
					is := s.of()
					return d.made(func(x T) bool {
						if !is(x) {
							return false
						}
						met.Add(1)
						return harm
					})()
				}
			}
			name := d.name + "/" + s.name
			all = append(all, Contextual{
				Defect{Name: name, Filter: in(true)}, Defect{Name: name, Filter: in(false)}, func() int { return int(met.Load()) },
			})
		}
	}
	return all
}

// contextDefects are plain mistakes in contexts that no check met when they were first made in all of them.
func contextDefects() []Defect {
	events, queries := eventDeeds(), queryDeeds()
	rareKind := always("", func(ev *nostr.Event) bool { return ev.Kind == 1985 || ev.Kind == 30078 })
	rareLetter := always("", func(q query) bool {
		return slices.ContainsFunc(q.filters, func(f relay.Filter) bool {
			return slices.ContainsFunc(f.Tags, func(t relay.TagFilter) bool { return !strings.ContainsRune("aAeEpPqdtl", rune(t.Letter)) })
		})
	})
	long := always("", func(q query) bool {
		return len(q.filters) == 1 && (len(q.filters[0].IDs) > 100 || len(q.filters[0].Kinds) > 100)
	})
	broad := func(filters []relay.Filter) bool {
		return slices.ContainsFunc(filters, func(f relay.Filter) bool {
			return len(f.IDs)+len(f.Authors)+len(f.Kinds)+len(f.Tags) == 0 && f.Since == nil && f.Until == nil
		})
	}
	return []Defect{
		{Name: "rare-kinds-unfound", Filter: made(events, "unfound", rareKind)},
		{Name: "rare-kinds-unheard", Filter: made(events, "unheard-live", rareKind)},
		{Name: "rare-letters-unfound", Filter: made(queries, "newest-left-out", rareLetter)},
		{Name: "rare-letters-unheard", Filter: made(queries, "never-live", rareLetter)},
		{Name: "rare-letters-uncounted", Filter: made(queries, "counts-one-less", rareLetter)},
		{Name: "long-lists-unheard", Filter: made(queries, "never-live", long)},
		{Name: "broad-queries-bring-repositories-alone", Filter: func() Filter {
			return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
				m, _ := i.(core.Message)
				if q, is := m.Msg.(relay.Req); !is || !broad(q.Filters) {
					return effects
				}
				return slices.DeleteFunc(slices.Clone(effects), func(e core.Effect) bool {
					send, _ := e.(core.Send)
					ev, is := send.Msg.(relay.EventFor)
					return is && ev.Event.Kind == 1621
				})
			}}
		}},
		{Name: "second-subscriptions-begin-without-the-oldest", Filter: made(queries, "oldest-left-out", againUnderItsID())},
		{Name: "marked-repositories-take-no-push", Filter: made(pushDeeds(), "push-refused", withMarks())},
		{Name: "marked-repositories-take-any-push", Filter: made(pushDeeds(), "push-let", withMarks())},
		{Name: "last-of-two-odd-refs-let-in", Filter: made(pushDeeds(), "last-command-let", always("", func(p pushing) bool {
			return strings.Contains(p.Commands[0].Ref, ".") || strings.Count(p.Commands[0].Ref, "/") > 2
		}))},
		{Name: "dozens-of-refs-refused", Filter: made(pushDeeds(), "push-refused", always("", func(p pushing) bool { return len(p.Commands) == 12 }))},
		{Name: "long-identifiers-take-no-push", Filter: made(pushDeeds(), "push-refused", always("", func(p pushing) bool { return len(p.Repo.Identifier) > 60 }))},
	}
}

// withMarks is the setting of a repository whose announcement has what clients put there, and no rule asks for.
func withMarks() setting[pushing] {
	return always("", func(p pushing) bool {
		a := p.shelf.announcement(string(p.Repo.Owner), p.Repo.Identifier).event
		return a != nil && slices.ContainsFunc(a.Tags, func(t nostr.Tag) bool {
			return t[0] == "r" || t[0] == "u" || t[0] == "t" && secondOf(t) == "personal-fork" || t[0] == "clone" && len(t) > 2
		})
	})
}

// made is the deed of a name in a setting.
func made[T any](deeds []deed[T], name string, in setting[T]) func() Filter {
	d := deeds[slices.IndexFunc(deeds, func(d deed[T]) bool { return d.name == name })]
	return func() Filter { return d.made(in.of())() }
}

// eventDeeds are what may be done to an event.
func eventDeeds() []deed[*nostr.Event] {
	type which = func(*nostr.Event) bool
	return []deed[*nostr.Event]{
		{"refused", rejects},
		{"unfound", unfound},
		{"unheard-live", func(in which) func() Filter {
			return func() Filter {
				return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
					return muteEvents(i, effects, func(_ core.ConnID, m relay.EventFor) bool { return in(m.Event) })
				}}
			}
		}},
		{"shown-while-held", func(in which) func() Filter {
			return leaks(func(r core.Record) bool { return r.Op == core.OpHold && in(r.Event) })
		}},
		{"undeleted-by-id", func(in which) func() Filter {
			return sparing(func(e filed, byID bool) bool { return byID && in(e.event) })
		}},
		{"undeleted-by-address", func(in which) func() Filter {
			return sparing(func(e filed, byID bool) bool { return !byID && in(e.event) })
		}},
		{"unreplaced", keptAll},
		{"unexpiring", unexpiring},
		{"forgotten-at-a-restart", func(in which) func() Filter {
			return survivors(func(s core.Started) core.Started {
				s.Stored = slices.DeleteFunc(slices.Clone(s.Stored), in)
				return s
			})
		}},
		{"held-forgotten-at-a-restart", func(in which) func() Filter {
			return survivors(func(s core.Started) core.Started {
				s.Held = slices.DeleteFunc(slices.Clone(s.Held), func(h core.HeldEvent) bool { return in(h.Event) })
				return s
			})
		}},
		{"no-one-may-refer-to", func(in which) func() Filter {
			return func() Filter {
				s := &shelf{map[string]filed{}}
				return rejecting(func(ev *nostr.Event) bool {
					return slices.ContainsFunc(ev.Tags, func(t nostr.Tag) bool {
						e, is := s.byID[secondOf(t)]
						return is && ev.Kind != policy.KindDeletion && in(e.event)
					})
				}, func(_ core.Input, effects []core.Effect) { s.note(effects) })
			}
		}},
		{"says-nothing-to-pushes", func(in which) func() Filter {
			return func() Filter {
				s := &shelf{map[string]filed{}}
				f := refuses(func(o core.PushOffered) bool {
					for _, e := range s.all() {
						if e.event.Kind == policy.KindState && e.event.Tags.GetD() == o.Repo.Identifier && declares(e.event, o.Commands) && in(e.event) {
							return true
						}
					}
					return false
				})()
				return noting(s, f)
			}
		}},
		{"authorizes-by-whoever", func(in which) func() Filter {
			return authorizing(func(_ *shelf, _ core.PushOffered, state filed) bool { return in(state.event) })
		}},
	}
}

// secondOf is the value of a tag, which go-nostr wants to have written inline.
func secondOf(t nostr.Tag) string {
	if len(t) < 2 {
		return ""
	}
	return t[1]
}

// unfound leaves events out of what is stored.
func unfound(in func(*nostr.Event) bool) func() Filter {
	return func() Filter {
		return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
			if _, is := asks(i); !is {
				return effects
			}
			return slices.DeleteFunc(slices.Clone(effects), func(e core.Effect) bool {
				send, _ := e.(core.Send)
				m, is := send.Msg.(relay.EventFor)
				return is && in(m.Event)
			})
		}}
	}
}

// noting has a shelf know what is there, whatever a filter does.
func noting(s *shelf, f Filter) Filter {
	inner := f.Out
	f.Out = func(i core.Input, effects []core.Effect) []core.Effect {
		s.note(effects)
		return inner(i, effects)
	}
	return f
}

// A query is what a client asks, on its connection.
type query struct {
	conn    core.ConnID
	sub     string
	filters []relay.Filter
}

// queryDeeds are what may be done to the answer to a query.
func queryDeeds() []deed[query] {
	type which = func(query) bool
	stored := func(in which, drop func(events []int) int) func() Filter {
		return func() Filter {
			return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
				m, _ := i.(core.Message)
				q, is := m.Msg.(relay.Req)
				if !is || !in(query{m.Conn, q.Sub, q.Filters}) {
					return effects
				}
				var events []int
				for n, e := range effects {
					send, _ := e.(core.Send)
					if _, is := send.Msg.(relay.EventFor); is {
						events = append(events, n)
					}
				}
				if len(events) == 0 {
					return effects
				}
				at := drop(events)
				return slices.Delete(slices.Clone(effects), at, at+1)
			}}
		}
	}
	return []deed[query]{
		{"newest-left-out", func(in which) func() Filter { return stored(in, func(events []int) int { return events[0] }) }},
		{"oldest-left-out", func(in which) func() Filter {
			return stored(in, func(events []int) int { return events[len(events)-1] })
		}},
		{"never-live", func(in which) func() Filter {
			return func() Filter {
				dead := map[openedAt]bool{}
				return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
					m, _ := i.(core.Message)
					if q, is := m.Msg.(relay.Req); is {
						dead[openedAt{m.Conn, q.Sub}] = in(query{m.Conn, q.Sub, q.Filters})
					}
					return muted(i, effects, func(at openedAt) bool { return dead[at] })
				}}
			}
		}},
		{"counts-one-less", func(in which) func() Filter {
			return func() Filter {
				return Filter{Out: func(i core.Input, effects []core.Effect) []core.Effect {
					m, _ := i.(core.Message)
					if q, is := m.Msg.(relay.Count); is && in(query{m.Conn, q.Sub, q.Filters}) {
						return recounted(effects, func(n int) int { return max(n-1, 0) })
					}
					return effects
				}}
			}
		}},
		{"refused", func(in which) func() Filter {
			return func() Filter {
				refused := false
				return Filter{
					In: func(i core.Input) (core.Input, bool) {
						m, _ := i.(core.Message)
						q, is := m.Msg.(relay.Req)
						refused = is && in(query{m.Conn, q.Sub, q.Filters})
						return i, !refused
					},
					Out: func(i core.Input, effects []core.Effect) []core.Effect {
						if at, is := asks(i); is && refused {
							return append(effects, core.Send{Conn: at.conn, Msg: relay.Closed{Sub: at.sub, Text: "invalid: not answered here"}})
						}
						return effects
					},
				}
			}
		}},
	}
}

// A pushing is a push, and what is there of its repository.
type pushing struct {
	core.PushOffered
	shelf *shelf
}

// state is the newest state of the owner.
func (p pushing) state() *nostr.Event {
	return p.shelf.latestOf(p.Repo.Identifier, string(p.Repo.Owner))
}

// pushDeeds are what may be done to a push.
func pushDeeds() []deed[pushing] {
	type which = func(pushing) bool
	return []deed[pushing]{
		{"push-refused", func(in which) func() Filter {
			return func() Filter {
				s := &shelf{map[string]filed{}}
				f := refuses(func(o core.PushOffered) bool { return in(pushing{o, s}) })()
				return noting(s, f)
			}
		}},
		{"push-let", func(in which) func() Filter {
			return func() Filter {
				s := &shelf{map[string]filed{}}
				f := letting(nil, func(o core.PushOffered, _ policy.Ruling) bool { return in(pushing{o, s}) })
				return noting(s, f)
			}
		}},
		{"last-command-let", func(in which) func() Filter {
			return func() Filter {
				s := &shelf{map[string]filed{}}
				f := letting(nil, func(o core.PushOffered, _ policy.Ruling) bool {
					state := s.latestOf(o.Repo.Identifier, string(o.Repo.Owner))
					return state != nil && len(o.Commands) > 1 && declares(state, o.Commands[:1]) && in(pushing{o, s})
				})
				return noting(s, f)
			}
		}},
	}
}
