package push_test

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/push"
	"github.com/graspkit/graspkit/reference/repo"
)

// contributed knows the same events as named: those of alice's place, each with one thing that is wrong elsewhere.
func contributed(change func(*push.Contributed)) func(string) push.Contributed {
	return func(event string) push.Contributed {
		c := push.Contributed{Named: named(event)}
		if c.Known {
			c.Signer, c.About, c.Places = owner, true, true
			change(&c)
		}
		return c
	}
}

func TestContribute(t *testing.T) {
	unchanged := func(*push.Contributed) {}
	place := push.Contribution{
		Place: repo.Contribution(owner, "x"), Taken: true, Local: []repo.Ref{ref(unknown, 2), ref(served, 5)}, Named: contributed(unchanged),
	}
	fresh := "nostr/" + strings.Repeat("f", 64)
	for _, c := range []struct {
		name     string
		commands []gitproto.Command
		change   func(*push.Offer, *push.Contribution)
		want     string // requirement of the refusal, "" for accepted
	}{
		{name: "unknown", commands: []gitproto.Command{command(fresh, 0, 3)}},
		{name: "several", commands: []gitproto.Command{command(fresh, 0, 3), command(held, 0, 5), command(unknown, 2, 0)}},
		{name: "unknown, again", commands: []gitproto.Command{command(unknown, 2, 3)}},
		{name: "held", commands: []gitproto.Command{command(held, 0, 5)}},
		{name: "served, the same", commands: []gitproto.Command{command(served, 5, 5)}},

		{name: "nothing", want: "G06-PUSH-02"},
		{name: "a branch", commands: []gitproto.Command{command("heads/main", 0, 3)}, want: "G06-PUSH-02"},
		{name: "a branch that goes", commands: []gitproto.Command{command("heads/main", 3, 0)}, want: "G06-PUSH-02"},
		{name: "a tag behind what is right", commands: []gitproto.Command{command(fresh, 0, 3), command("tags/v1", 0, 3)}, want: "G06-PUSH-02"},
		{name: "a branch before what is right", commands: []gitproto.Command{command("heads/main", 0, 3), command(fresh, 0, 3)}, want: "G06-PUSH-02"},
		{name: "a branch beside what is wrong", commands: []gitproto.Command{command(held, 0, 6), command("heads/main", 0, 3)}, want: "G06-PUSH-02"},
		{name: "HEAD", commands: []gitproto.Command{{Ref: "HEAD", Old: oid(0), New: oid(3)}}, want: "G06-PUSH-02"},
		{name: "notes", commands: []gitproto.Command{command("notes/x", 0, 3)}, want: "G06-PUSH-02"},
		{name: "too short", commands: []gitproto.Command{command(fresh[:len(fresh)-1], 0, 3)}, want: "G06-PUSH-02"},
		{name: "too long", commands: []gitproto.Command{command(fresh+"0", 0, 3)}, want: "G06-PUSH-02"},
		{name: "upper case", commands: []gitproto.Command{command("nostr/"+strings.Repeat("F", 64), 0, 3)}, want: "G06-PUSH-02"},
		{name: "below an id", commands: []gitproto.Command{command(fresh+"/x", 0, 3)}, want: "G06-PUSH-02"},
		{name: "nothing that goes", commands: []gitproto.Command{command(fresh, 0, 0)}, want: "G06-PUSH-02"},
		{name: "stale", commands: []gitproto.Command{command(unknown, 1, 3)}, want: "G01-PUSH-25"},
		{name: "stale and unknown here", commands: []gitproto.Command{command(fresh, 1, 3)}, want: "G01-PUSH-25"},
		{name: "another commit", commands: []gitproto.Command{command(held, 0, 6)}, want: "G06-PUSH-03"},
		{name: "another commit beside what is right", commands: []gitproto.Command{command(fresh, 0, 3), command(held, 0, 6)}, want: "G06-PUSH-03"},
		{name: "served, overwritten", commands: []gitproto.Command{command(served, 5, 6)}, want: "G06-PUSH-03"},
		{name: "served, deleted", commands: []gitproto.Command{command(served, 5, 0)}, want: "G01-PR-11"},
		{name: "an issue", commands: []gitproto.Command{command(issue, 0, 5)}, want: "G06-PUSH-03"},
		{name: "a profile", commands: []gitproto.Command{command(profile, 0, 5)}, want: "G06-PUSH-03"},
		{
			name: "another signer", commands: []gitproto.Command{command(held, 0, 5)}, want: "G06-PUSH-03",
			change: func(_ *push.Offer, c *push.Contribution) {
				c.Named = contributed(func(n *push.Contributed) { n.Signer = "bb" })
			},
		},
		{
			name: "another identifier", commands: []gitproto.Command{command(held, 0, 5)}, want: "G06-PUSH-03",
			change: func(_ *push.Offer, c *push.Contribution) {
				c.Named = contributed(func(n *push.Contributed) { n.About = false })
			},
		},
		{
			name: "another clone value", commands: []gitproto.Command{command(held, 0, 5)}, want: "G06-PUSH-03",
			change: func(_ *push.Offer, c *push.Contribution) {
				c.Named = contributed(func(n *push.Contributed) { n.Places = false })
			},
		},
		{
			name: "certificate", commands: []gitproto.Command{command(fresh, 0, 3)}, want: "G06-PUSH-04",
			change: func(o *push.Offer, _ *push.Contribution) { o.Shape.Certificate = true },
		},
		{
			name: "off", commands: []gitproto.Command{command(fresh, 0, 3)}, want: "G06-ADV-01",
			change: func(_ *push.Offer, c *push.Contribution) { c.Taken = false },
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			offer, facts := push.Offer{Commands: c.commands}, place
			if c.change != nil {
				c.change(&offer, &facts)
			}
			got := push.Contribute(offer, facts)
			if got.Accepted() != (c.want == "") || !got.Accepted() && (got.Requirement != c.want || got.Reason == "") {
				t.Errorf("got %+v, want a ruling by %q", got, c.want)
			}
		})
	}
}

// Whatever is pushed to a place: what is accepted moves refs that are named after events and nothing else (G06-PUSH-02).
func TestContributeMovesNothingElse(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := []string{unknown, served, held, issue, "heads/main", "tags/v1", "nostr/x", "nostr", "prs/x"}
		var commands []gitproto.Command
		for range rapid.IntRange(0, 4).Draw(t, "commands") {
			commands = append(commands, command(rapid.SampledFrom(names).Draw(t, "ref"),
				rapid.IntRange(0, 6).Draw(t, "old"), rapid.IntRange(0, 6).Draw(t, "new")))
		}
		got := push.Contribute(push.Offer{Commands: commands}, push.Contribution{
			Place: repo.Contribution(owner, "x"), Taken: true, Local: []repo.Ref{ref(unknown, 2), ref(served, 5)},
			Named: contributed(func(*push.Contributed) {}),
		})
		if !got.Accepted() {
			return
		}
		for _, c := range commands {
			if _, ok := repo.PullRequestOf(c.Ref); !ok || c.Ref == "refs/"+issue ||
				(c.Ref == "refs/"+served || c.Ref == "refs/"+held) && c.New != oid(5) && !c.New.IsZero() || c.Ref == "refs/"+served && c.New.IsZero() {
				t.Fatalf("accepted %+v", c)
			}
		}
	})
}
