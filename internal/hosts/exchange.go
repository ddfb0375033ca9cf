package hosts

import (
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim/githost"
)

// The services of a host, as requests name them.
const (
	infoRefs   = "info/refs"
	uploadPack = client.UploadPack
)

// An exchange is one request and its answer.
type exchange struct {
	host   *Host
	w      http.ResponseWriter
	r      *http.Request
	conn   *conn
	number int     // of its record
	asked  uint64  // its number at the model; 0 before
	parked *parked // guarded by host.mu; nil while it is at work
}

// parked says what an exchange waits for.
type parked struct {
	conn  *conn
	until time.Time // zero: only for its asker to leave
}

// ServeHTTP answers a request as the model plans it when it comes.
func (h *Host) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	c, ok := r.Context().Value(connKey{}).(*conn)
	if !ok {
		panic("hosts: invariant: a request without its connection")
	}
	e := &exchange{host: h, w: w, r: r, conn: c}
	path, service := split(r.URL.Path)
	if !h.record(target.HostRequest{Method: r.Method, Path: path, Service: service, Header: r.Header.Clone()}, e) {
		e.abort()
	}
	defer h.over(e)
	body, err := io.ReadAll(http.MaxBytesReader(w, r.Body, bodyMax))
	if err != nil {
		e.status(http.StatusBadRequest)
		return
	}
	lines, _ := client.WireLines(body) // what is no pkt-line has no wants
	wants := argumentsOf(lines, "want ")
	if len(wants) > 0 {
		h.amend(e, func(q *target.HostRequest) { q.Wants = wants })
	}
	e.answer(h.ask(e, path, wants), path, service, lines)
}

// split parts the path of a repository from the service.
func split(path string) (repository, service string) {
	for _, service := range []string{infoRefs, uploadPack} {
		if repository, ok := strings.CutSuffix(path, "/"+service); ok {
			return repository, service
		}
	}
	return path, ""
}

// status answers without a body.
func (e *exchange) status(code int) {
	e.host.amend(e, func(q *target.HostRequest) { q.Status = code })
	e.w.WriteHeader(code)
}

// abort closes the connection.
func (e *exchange) abort() { panic(http.ErrAbortHandler) }

// wait lets time pass; zero or less is for ever. It closes the connection if the asker leaves or the host is closed.
func (e *exchange) wait(d time.Duration) {
	h := e.host
	p := &parked{conn: e.conn}
	var fired <-chan time.Time
	if d > 0 {
		// The timer is there before anybody can see that the clock may move.
		timer := h.clock.Timer(d)
		defer timer.Stop()
		fired = timer.C
		p.until = h.clock.Now().Add(d)
	}
	e.park(p)
	defer e.park(nil)
	select {
	case <-fired:
	case <-e.r.Context().Done():
		e.abort()
	case <-h.closing:
		e.abort()
	}
}

func (e *exchange) park(p *parked) {
	e.host.mu.Lock()
	e.parked = p
	e.host.mu.Unlock()
	e.host.all.tell()
}

// answer carries the plan out.
func (e *exchange) answer(plan githost.Plan, path, service string, lines []string) {
	if plan.Begins == githost.Never {
		e.wait(0)
	}
	e.host.mu.Lock()
	now := e.host.now()
	e.host.mu.Unlock()
	if plan.Begins > now {
		e.wait(plan.Begins.Sub(now))
	}
	switch plan.Mode {
	case githost.Hangs:
		e.wait(0)
	case githost.Drops, githost.Refuses: // refused is what came before the host refused
		e.abort()
	case githost.Denies:
		e.w.Header().Set("WWW-Authenticate", `Basic realm="git"`)
		e.status(http.StatusUnauthorized)
	case githost.Lacks:
		e.status(http.StatusNotFound)
	case githost.Fails:
		e.status(http.StatusInternalServerError)
	case githost.Limits:
		if plan.RetryAfter > 0 { // in whole seconds, and not too few
			seconds := (plan.RetryAfter + time.Second - 1) / time.Second
			e.w.Header().Set("Retry-After", strconv.FormatInt(int64(seconds), 10))
		}
		e.status(http.StatusTooManyRequests)
	case githost.Redirects:
		e.w.Header().Set("Location", redirectURL(plan.RedirectTo, e.r.URL))
		e.status(http.StatusFound)
	default:
		e.serve(plan, path, service, lines)
	}
}

// serve answers as git does, or nearly.
func (e *exchange) serve(plan githost.Plan, path, service string, lines []string) {
	h := e.host
	var body []byte
	contentType := "application/x-git-upload-pack-advertisement"
	h.mu.Lock()
	b := h.behavior
	version := e.version(b)
	r := h.repositories[path]
	switch {
	case r == nil || service == "":
	case service == infoRefs && e.r.URL.Query().Get("service") != uploadPack:
		r = nil // nobody can push, and there is no dumb HTTP
	case service == infoRefs:
		body = r.advertisement(version, plan.Mode, b.TipsOnly)
	default:
		contentType = "application/x-git-upload-pack-result"
		at := h.now()
		has := func(oid string) bool { return h.model.Has(at, path, repo.OID(oid)) }
		body = r.uploadPack(version, lines, plan.Mode, b.TipsOnly, has)
	}
	h.mu.Unlock()
	if body == nil {
		e.status(http.StatusNotFound)
		return
	}
	e.w.Header().Set("Content-Type", contentType)
	e.w.Header().Set("Cache-Control", "no-cache")
	e.status(http.StatusOK)
	switch {
	case plan.Mode == githost.Drips:
		e.drip(body, pace(b, plan, len(body)))
	case plan.Mode == githost.Floods && service == uploadPack:
		e.flood(body)
	default:
		_, _ = e.w.Write(body) // the asker may be gone
	}
}

// version is the protocol version of the answer.
func (e *exchange) version(b target.HostBehavior) int {
	highest := 2
	switch {
	case b.Version == target.VersionOld:
		highest = 0
	case b.Version > 0:
		highest = b.Version
	}
	for word := range strings.SplitSeq(e.r.Header.Get("Git-Protocol"), ":") {
		if v, err := strconv.Atoi(strings.TrimPrefix(word, "version=")); err == nil && v >= 0 && v <= 2 && v <= highest {
			return v
		}
	}
	return 0
}

// pace is how many bytes a host that drips sends in a second: as told, or so that the answer ends when the plan does.
func pace(b target.HostBehavior, plan githost.Plan, size int) int {
	if b.DripBytes > 0 {
		return b.DripBytes
	}
	seconds := max(int(plan.Ends.Sub(plan.Begins)/time.Second), 1)
	return size/seconds + 1
}

// drip sends so many bytes in a second.
func (e *exchange) drip(body []byte, rate int) {
	for len(body) > 0 {
		n := min(rate, len(body))
		if !e.send(body[:n]) {
			return
		}
		if body = body[n:]; len(body) > 0 {
			e.wait(time.Second)
		}
	}
}

// floodMax is after how many bytes a flood ends by itself.
const floodMax int64 = 4 << 30

// flood sends without end.
func (e *exchange) flood(body []byte) {
	band := client.WireBand(1, make([]byte, 60_000))
	if !e.send(body) {
		return
	}
	for sent := int64(0); sent < floodMax; sent += int64(len(band)) {
		if !e.send(band) {
			return
		}
	}
}

func (e *exchange) send(p []byte) bool {
	if e.r.Context().Err() != nil {
		return false
	}
	select {
	case <-e.host.closing:
		return false
	default:
	}
	if _, err := e.w.Write(p); err != nil {
		return false
	}
	return http.NewResponseController(e.w).Flush() == nil
}
