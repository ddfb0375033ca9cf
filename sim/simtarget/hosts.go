package simtarget

import (
	"context"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/go-git/go-git/v5/plumbing"

	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/githost"
)

// A gitHost is a fake git host in virtual time: the model of package githost with real objects. A fetch is one request
// at it, recorded as that for the advertisement. Its target's lock guards it.
type gitHost struct {
	target       *Target
	model        *githost.Host
	repositories map[string]*hosted
	behavior     target.HostBehavior
	requests     []target.HostRequest
	forgotten    int
	closed       bool
}

// hosted is one repository at a fake host.
type hosted struct {
	tips    []repo.OID
	objects map[repo.OID]gitstore.Object
}

var (
	_ target.Hosts   = (*Target)(nil)
	_ target.GitHost = (*gitHost)(nil)
)

// Reachback implements target.Hosts.
func (t *Target) Reachback() bool { return true }

// NewHost implements target.Hosts. Hosts are called git1.example, git2.example and so on.
func (t *Target) NewHost(ctx context.Context) (target.GitHost, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := canceled(ctx); err != nil {
		return nil, err
	}
	t.named++
	name := fmt.Sprintf("git%d.example", t.named)
	model, err := githost.New(githost.Config{Name: name}, t.opts.Seed, t.engine.Now(), nil)
	if err != nil {
		return nil, fmt.Errorf("start git host: %w", err)
	}
	h := &gitHost{target: t, model: model, repositories: map[string]*hosted{}}
	t.hosts[name] = h
	return h, nil
}

// URL implements target.GitHost.
func (h *gitHost) URL() string { return "http://" + h.model.Name() }

// Put implements target.GitHost.
func (h *gitHost) Put(path string, refs []target.GitRef, objects []target.GitObject) {
	h.target.mu.Lock()
	defer h.target.mu.Unlock()
	r := h.repositories[path]
	if r == nil {
		r = &hosted{objects: map[repo.OID]gitstore.Object{}}
		h.repositories[path] = r
	}
	r.tips = nil
	for _, ref := range refs {
		r.tips = append(r.tips, repo.OID(ref.OID))
	}
	h.model.Put(h.target.engine.Now(), path)
	for _, o := range objects {
		kind, err := plumbing.ParseObjectType(o.Type)
		if err != nil {
			panic("simtarget: invariant: object type " + o.Type)
		}
		object := gitstore.Object{Type: kind, Data: slices.Clone(o.Data)}
		r.objects[object.OID()] = object
		h.model.Put(h.target.engine.Now(), path, object.OID())
	}
}

// Drop implements target.GitHost.
func (h *gitHost) Drop(path string) {
	h.target.mu.Lock()
	defer h.target.mu.Unlock()
	delete(h.repositories, path)
	h.model.Drop(path)
}

// Behave implements target.GitHost.
func (h *gitHost) Behave(b target.HostBehavior) error {
	if err := b.Validate(); err != nil {
		return err
	}
	h.target.mu.Lock()
	defer h.target.mu.Unlock()
	if err := h.model.Trouble(h.target.engine.Now(), githost.Troubles(b, h.size())...); err != nil {
		return fmt.Errorf("host behavior: %w", err)
	}
	h.behavior = b
	return nil
}

// size is how many bytes all objects have, for an answer that drips.
func (h *gitHost) size() int {
	n := 0
	for _, r := range h.repositories {
		for _, o := range r.objects {
			n += len(o.Data)
		}
	}
	return n
}

// Requests implements target.GitHost.
func (h *gitHost) Requests() []target.HostRequest {
	h.target.mu.Lock()
	defer h.target.mu.Unlock()
	return slices.Clone(h.requests)
}

// Close implements target.GitHost. A host that is closed refuses connections; what it still answers ends broken.
func (h *gitHost) Close() error {
	t := h.target
	t.mu.Lock()
	defer t.mu.Unlock()
	if h.closed {
		return nil
	}
	h.closed = true
	delete(t.hosts, h.model.Name())
	t.carrier.Break(t.engine.Now(), func(p sim.Place) bool {
		s, is := p.(*spot)
		return is && s.host == h
	})
	t.engine.Settle()
	return nil
}

// begin records a fetch and returns where its record is.
func (h *gitHost) begin(now instant.Instant, path string, oids []repo.OID, plan githost.Plan) int {
	if len(h.requests) >= target.HostRequestsMax {
		half := target.HostRequestsMax / 2
		h.requests = append(h.requests[:0], h.requests[half:]...)
		h.forgotten += half
	}
	q := target.HostRequest{
		At: timeOf(now), Method: http.MethodGet, Path: path, Service: "info/refs",
		Status: statusOf(plan.Mode),
	}
	for _, oid := range oids {
		q.Wants = append(q.Wants, string(oid))
	}
	if plan.Mode == githost.Refuses {
		q = target.HostRequest{At: q.At}
	}
	h.requests = append(h.requests, q)
	return h.forgotten + len(h.requests) - 1
}

func (h *gitHost) end(now instant.Instant, record int) {
	if i := record - h.forgotten; i >= 0 {
		h.requests[i].Ended = timeOf(now)
	}
}

func timeOf(now instant.Instant) time.Time { return time.Unix(0, int64(now)).UTC() }

// statusOf is the status of the answer by which a mode shows.
func statusOf(mode githost.Mode) int {
	switch mode { //nolint:exhaustive // the others send what git sends
	case githost.Refuses, githost.Drops, githost.Hangs:
		return 0
	case githost.Denies:
		return http.StatusUnauthorized
	case githost.Lacks:
		return http.StatusNotFound
	case githost.Limits:
		return http.StatusTooManyRequests
	case githost.Fails:
		return http.StatusInternalServerError
	case githost.Redirects:
		return http.StatusFound
	}
	return http.StatusOK
}

// place parts the URL of a repository into the authority, without the default port, and the path.
func place(text string) (authority, path string, ok bool) {
	scheme, rest, found := strings.Cut(text, "://")
	if !found || scheme != "http" && scheme != "https" {
		return "", "", false
	}
	authority, path, _ = strings.Cut(rest, "/")
	if _, after, found := strings.Cut(authority, "@"); found {
		authority = after
	}
	port := ":80"
	if scheme == "https" {
		port = ":443"
	}
	return strings.TrimSuffix(strings.ToLower(authority), port), "/" + strings.TrimRight(path, "/"), true
}
