package client

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"strings"
	"sync/atomic"
	"time"

	"github.com/nbd-wtf/go-nostr/nip19"
)

// agent is what the client calls itself, over HTTP and in git's capabilities.
const agent = "grasp-check"

// What a server is given a second more for.
const (
	uploadRate = 1 << 20 // bytes of a body
	updateRate = 50      // refs of a push, each made durable
)

// Get performs a GET: see Do.
func (c *Client) Get(ctx context.Context, path string, header http.Header) Observation {
	return c.Do(ctx, http.MethodGet, path, header, nil)
}

// Do performs one HTTP exchange below the service URL and returns HTTPAnswer, Silence or
// TransportError. The path, with its query behind a question mark, is sent byte by byte as given: the
// caller escapes what it wants escaped. It must start with a slash. No redirect is followed. The header
// Transfer-Encoding: chunked sends the body without a length. A connection that switches to another protocol is closed.
func (c *Client) Do(ctx context.Context, method, path string, header http.Header, body []byte) Observation {
	return c.exchange(ctx, method, path, header, payload{head: body}, 0)
}

// requestKind tells pushes and fetches, which a server may take at a pace of their own, from all other requests.
func requestKind(method, path string) string {
	at, _, _ := strings.Cut(path, "?")
	for _, service := range []string{UploadPack, ReceivePack} {
		if method == http.MethodPost && strings.HasSuffix(at, "/"+service) {
			return service
		}
	}
	return "request"
}

// exchange is Do with some time more for the answer.
func (c *Client) exchange(ctx context.Context, method, path string, header http.Header, body payload, more time.Duration) Observation {
	return c.paced(ctx, requestKind(method, path), func(int) Observation {
		o := c.exchangeOnce(ctx, method, path, header, body, more)
		if answer, is := o.(HTTPAnswer); is && answer.Status == http.StatusOK && path == "/" && header.Get("Accept") == documentHeader().Get("Accept") {
			c.pace.shows()
		}
		return c.unlessForbidden(ctx, o)
	}, limitedHTTP)
}

func (c *Client) exchangeOnce(ctx context.Context, method, path string, header http.Header, body payload, more time.Duration) Observation {
	if !strings.HasPrefix(path, "/") {
		panic(fmt.Sprintf("client: invariant: path %q does not start with a slash", path))
	}
	if err := c.listRequest(method, path, body.size()); err != nil {
		return unlisted(err)
	}
	start := c.target.Now()
	waiting, cancel := context.WithTimeout(ctx, c.exchangeSettle()+more+time.Duration(body.size()/uploadRate)*time.Second)
	defer cancel()
	channel := c.channel("http")
	sent := &countedBody{rest: body.reader()}
	req, err := c.request(waiting, method, path, header, sent, body.size())
	if err != nil {
		return TransportError{Phase: "request", Text: err.Error(), Err: err}
	}
	told := withoutCredentials(req.Header)
	if header.Get("Authorization") == "" && told.Get("Authorization") != "" {
		told.Set("Authorization", c.door.told(path))
	}
	c.recordRequest(channel, method, path, told, body)
	resp, err := c.target.RoundTrip(req)
	if err != nil {
		c.record(channel, Remark, err.Error(), nil)
		return c.unanswered(ctx, "request", "an HTTP answer", start, err)
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusSwitchingProtocols { // what comes then is no answer any more, and has no end
		c.recordAnswer(channel, resp.StatusCode, resp.Header, nil)
		return HTTPAnswer{Status: resp.StatusCode, Header: resp.Header, BytesSent: int(sent.taken.Load())}
	}
	answer, err := io.ReadAll(io.LimitReader(resp.Body, MaxBodyBytes+1))
	c.recordAnswer(channel, resp.StatusCode, resp.Header, answer)
	if err != nil {
		return c.unanswered(ctx, "body", "the rest of an HTTP answer", start, err)
	}
	if len(answer) > MaxBodyBytes {
		err = fmt.Errorf("HTTP answer is longer than %d bytes", MaxBodyBytes)
		return TransportError{Phase: "body", Text: err.Error(), Err: err}
	}
	c.took(c.target.Now().Sub(start))
	return HTTPAnswer{Status: resp.StatusCode, Header: resp.Header, Body: answer, BytesSent: int(sent.taken.Load())}
}

func (c *Client) request(ctx context.Context, method, path string, header http.Header, body io.Reader, size int) (*http.Request, error) {
	if size == 0 {
		body = http.NoBody
	}
	req, err := http.NewRequestWithContext(ctx, method, c.origin.Scheme+"://"+c.origin.Host+"/", body)
	if err != nil {
		return nil, err
	}
	raw, query, hasQuery := strings.Cut(path, "?")
	req.URL.Path = ""
	req.URL.Opaque = "//" + c.origin.Host + c.base() + raw
	req.URL.RawQuery = query
	req.URL.ForceQuery = hasQuery && query == ""
	req.ContentLength = int64(size)
	req.Header = header.Clone()
	if req.Header.Get(transferEncoding) == chunked {
		req.Header.Del(transferEncoding)
		req.ContentLength = -1
		req.Body = crumbs(req.Body)
	}
	if req.Header == nil {
		req.Header = make(http.Header)
	}
	if req.Header.Get("User-Agent") == "" {
		req.Header.Set("User-Agent", agent)
	}
	if token := c.Authorization(path); token != "" && method != http.MethodOptions && req.Header.Values("Authorization") == nil {
		req.Header.Set("Authorization", token)
	}
	return req, nil
}

// A payload is the body of a request: its bytes are those of head, then those of tail, or of large if there is one. So what
// goes before a pack need not be copied together with it.
type payload struct {
	head, tail []byte
	large      *PackStream
	hold       func() error // called before the second half, if not nil
}

func (p payload) size() int {
	if p.large != nil {
		return len(p.head) + p.large.Size()
	}
	return len(p.head) + len(p.tail)
}

// start returns the first n bytes, or all if there are less.
func (p payload) start(n int) []byte {
	p.hold = nil
	start := make([]byte, min(n, p.size()))
	if _, err := io.ReadFull(p.reader(), start); err != nil {
		panic("client: invariant: a body is shorter than its size")
	}
	return start
}

func (p payload) reader() io.Reader {
	all := &joined{first: p.head, rest: bytes.NewReader(p.tail)}
	if p.large != nil {
		all.rest = p.large.Reader()
	}
	if p.hold == nil {
		return all
	}
	half := int64(p.size() / 2)
	return io.MultiReader(io.LimitReader(all, half), &held{hold: p.hold}, all)
}

// A held reader is empty, and calls somebody before it says so. Who is called may end the body there.
type held struct{ hold func() error }

// Read implements io.Reader.
func (h *held) Read([]byte) (int, error) {
	if h.hold != nil {
		if err := h.hold(); err != nil {
			return 0, err
		}
		h.hold = nil
	}
	return 0, io.EOF
}

// A joined reader reads pieces as if they were one: a server that answers after the first write, and closes, must not
// find the commands of a short push in one write and its pack in another.
type joined struct {
	first []byte
	rest  io.Reader
}

// Read implements io.Reader. It fills p as long as there is anything left.
func (j *joined) Read(p []byte) (n int, err error) {
	n = copy(p, j.first)
	j.first = j.first[n:]
	for n < len(p) && err == nil {
		var more int
		more, err = j.rest.Read(p[n:])
		n += more
	}
	if n > 0 {
		return n, nil
	}
	return 0, err
}

// A countedBody counts what the transport took of a request body. The transport may still read it when
// the answer has come.
type countedBody struct {
	rest  io.Reader // owned by the transport
	taken atomic.Int64
}

func (b *countedBody) Read(p []byte) (int, error) {
	n, err := b.rest.Read(p)
	b.taken.Add(int64(n))
	return n, err
}

// RepoPath is the path of a repository below the service URL, "/npub1.../identifier.git", with every
// byte of the identifier escaped that is not a letter, a digit or one of "-._~". It panics if pubkey is
// not 64 hexadecimal digits.
func (c *Client) RepoPath(pubkey, identifier string) string {
	npub, err := nip19.EncodePublicKey(pubkey)
	if err != nil {
		panic(fmt.Sprintf("client: invariant: pubkey %q: %v", pubkey, err))
	}
	return "/" + npub + "/" + escape(identifier) + ".git"
}

func escape(s string) string {
	const unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
	var b strings.Builder
	for i := range len(s) {
		if strings.IndexByte(unreserved, s[i]) >= 0 {
			b.WriteByte(s[i])
		} else {
			fmt.Fprintf(&b, "%%%02X", s[i])
		}
	}
	return b.String()
}
