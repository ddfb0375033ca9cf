package judgetest

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/target"
)

// A probe is a client that does a few things to a server and writes down what it sees: the least that shows a mistake.
type probe struct {
	t       *testing.T
	on      target.Target
	c       *client.Client
	relay   *client.Relay
	names   map[string]string // of events, by id
	log     []string
	heads   map[string]string // commit of main, by repository
	base    int64
	h       *client.History
	commits map[string]string
	last    string // the id that was published last
}

func newProbe(t *testing.T, on target.Target) *probe {
	t.Helper()
	p := &probe{
		t: t, on: on, c: client.New(on, client.Options{}), names: map[string]string{}, heads: map[string]string{}, commits: map[string]string{},
		base: on.Now().Unix() - 900, h: client.NewHistory("probe"),
	}
	p.connect()
	return p
}

func (p *probe) connect() {
	var o client.Observation
	if p.relay, o = p.c.Relay(p.t.Context()); o != nil {
		p.note("no connection: %v", o)
	}
}

func (p *probe) note(format string, args ...any) { p.log = append(p.log, fmt.Sprintf(format, args...)) }

// key is the key of an actor.
func (p *probe) key(actor string) client.Key { return client.NewKey("probe", actor) }

// commit is the id of a commit.
func (p *probe) commit(name string) string {
	if p.commits[name] == "" {
		p.commits[name] = p.h.Commit("", map[string]string{"file": name}, name)
	}
	return p.commits[name]
}

// publish sends an event and notes the answer.
func (p *probe) publish(name string, ev *nostr.Event) {
	p.names[ev.ID], p.last = name, ev.ID
	p.note("%s: %v", name, short(p.relay.PublishMalformed(p.t.Context(), client.EventJSON(ev), ev.ID)))
}

func short(o client.Observation) string {
	if ok, is := o.(client.OKFrame); is {
		return fmt.Sprintf("%t %q", ok.Accepted, ok.Prefix)
	}
	return fmt.Sprintf("%T", o)
}

// announcement is one by an actor that lists this service.
func (p *probe) announcement(actor, identifier string, at int64, maintainers ...string) *nostr.Event {
	opts := client.AnnounceOpts{
		Identifier: identifier, Name: identifier, CreatedAt: p.base + at,
		Clone: []string{p.c.CloneURL(p.key(actor).Pubkey, identifier)}, Relays: []string{p.c.RelayURL()},
	}
	for _, m := range maintainers {
		opts.Maintainers = append(opts.Maintainers, p.key(m).Pubkey)
	}
	return client.Announce(p.key(actor), opts)
}

// state says where main is.
func (p *probe) state(actor, identifier, commit string, at int64) *nostr.Event {
	return client.StateEvent(p.key(actor), identifier, [][2]string{{"refs/heads/main", p.commit(commit)}}, "refs/heads/main", p.base+at)
}

// address is that of a repository.
func (p *probe) address(actor, identifier string) string {
	return client.RepoAddress(p.key(actor).Pubkey, identifier)
}

// push moves a ref to a commit and notes how it went.
func (p *probe) push(actor, identifier, ref, commit string) {
	path := p.c.RepoPath(p.key(actor).Pubkey, identifier)
	old, known := p.heads[path+ref]
	if !known {
		old = client.ZeroOID
	}
	oid := p.commit(commit)
	o := p.c.Push(p.t.Context(), path, client.PushOpts{Commands: []client.Command{{Old: old, New: oid, Ref: ref}}, Pack: p.h.Pack([]string{oid}, nil)})
	report, is := o.(client.PushReport)
	if is && report.Accepted() {
		p.heads[path+ref] = oid
		p.note("push of %s: done", commit)
		return
	}
	p.note("push of %s: %T %v", commit, o, o)
}

// main pushes the branch main.
func (p *probe) main(actor, identifier, commit string) {
	p.push(actor, identifier, "refs/heads/main", commit)
}

// serve makes a repository that is served.
func (p *probe) serve(actor, identifier, commit string, at int64, maintainers ...string) {
	p.publish(actor+"'s "+identifier, p.announcement(actor, identifier, at, maintainers...))
	p.publish("its state", p.state(actor, identifier, commit, at))
	p.main(actor, identifier, commit)
}

// refs notes the refs of a repository.
func (p *probe) refs(actor, identifier string) {
	o := p.c.Advertise(p.t.Context(), p.c.RepoPath(p.key(actor).Pubkey, identifier), "git-upload-pack", 0)
	advert, is := o.(client.Advert)
	if !is {
		p.note("refs of %s: %v", identifier, o)
		return
	}
	text := advert.Fingerprint()
	for name, oid := range p.commits {
		text = strings.ReplaceAll(text, oid, name)
	}
	p.note("refs of %s: %s", identifier, text)
}

// query notes what filters find.
func (p *probe) query(filters ...client.Filter) {
	found, o := p.relay.Query(p.t.Context(), filters...)
	p.note("query: %v %v", p.called(found), o)
}

func (p *probe) called(events []*nostr.Event) []string {
	var names []string
	for _, ev := range events {
		names = append(names, p.names[ev.ID])
	}
	slices.Sort(names)
	return names
}

// live notes what a subscription gets.
func (p *probe) live(sub string) {
	found, o := p.relay.Live(p.t.Context(), sub)
	p.note("live: %v %v", p.called(found), o)
}

// get notes the answer to a request by its status and CORS headers.
func (p *probe) get(method, path string, header http.Header) {
	o := p.c.Do(p.t.Context(), method, path, header, nil)
	if answer, is := o.(client.HTTPAnswer); is {
		p.note("%s %s: %d, allows %q", method, path, answer.Status, answer.Header.Values("Access-Control-Allow-Origin"))
		return
	}
	p.note("%s %s: %v", method, path, o)
}

// issue is one on a repository.
func (p *probe) issue(actor, address, subject string, at int64, tags ...[]string) *nostr.Event {
	all := append([][]string{{"a", address}, {"subject", subject}}, tags...)
	return client.Build(p.key(actor), 1621, all, subject, p.base+at)
}

// wait lets time pass.
func (p *probe) wait(d time.Duration) {
	if err := p.on.Sleep(p.t.Context(), d); err != nil {
		p.t.Fatal(err)
	}
}
