package fetch

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptrace"
	"net/url"
	"strings"
	"syscall"
)

const (
	headerMax    = 64 << 10 // bytes of the header of an answer
	redirectsMax = 3        // within one host
	userAgent    = "git/graspkit"
)

// newTransport returns a transport that keeps no connection, uses no proxy, unpacks nothing and has no time limit of its
// own: those are the watch's.
func newTransport(options Options) *http.Transport {
	dialer := NewDialer(options.AllowLocal, options.Resolver)
	var protocols http.Protocols
	protocols.SetHTTP1(true)
	transport := &http.Transport{
		DisableKeepAlives: true, DisableCompression: true, MaxResponseHeaderBytes: headerMax, Protocols: &protocols,
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			c, err := dialer.DialContext(ctx, network, address)
			if err != nil {
				return nil, err
			}
			return NewWire(c), nil
		},
	}
	if options.TLS != nil {
		transport.TLSClientConfig = options.TLS.Clone()
	}
	return transport
}

// exchange sends one request and returns the answer, whatever its status; its body must be closed.
func (fl *flight) exchange(ctx context.Context, req *http.Request) (*http.Response, error) {
	timeouts := fl.fetcher.options.Timeouts
	fl.requests++
	fl.watch.begin("the connection", timeouts.Connect)
	trace := &httptrace.ClientTrace{GotConn: func(info httptrace.GotConnInfo) {
		c := info.Conn
		if wrapped, ok := c.(interface{ NetConn() net.Conn }); ok { // TLS
			c = wrapped.NetConn()
		}
		if counted, ok := c.(*Wire); ok {
			fl.conn.Store(counted)
		}
		fl.watch.begin("the answer", timeouts.Header)
	}}
	req.Header.Set("User-Agent", userAgent)
	resp, err := fl.fetcher.transport.RoundTrip(req.WithContext(httptrace.WithClientTrace(ctx, trace)))
	if err != nil {
		fl.finish(nil)
		if ctx.Err() == nil && (errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)) {
			return nil, &Error{Failure: Refused, Err: err}
		}
		return nil, classify(ctx, err)
	}
	fl.watch.begin("the next bytes", timeouts.Idle)
	return resp, nil
}

// finish is done with an exchange and closes the body of its answer, if there is one, and the connection. The transport
// would do so when it likes; but the host must not find this request still there beside the one that takes its place
// (REF-HUNT-08). What follows has the rest of the time of the whole fetch.
func (fl *flight) finish(body io.Closer) {
	c := fl.conn.Swap(nil)
	fl.watch.begin("the fetch", fl.fetcher.options.Timeouts.Whole)
	if body != nil {
		_ = body.Close() // nobody reads on
	}
	if c != nil {
		_ = c.Close() // and the transport once more
	}
}

// follow returns where a redirect of a request for the advertisement leads, if it may be followed there: to the same
// place at the same host, under another base.
func follow(base *url.URL, resp *http.Response) (*url.URL, error) {
	to, err := resp.Location()
	if err != nil {
		return nil, failed(Redirected, "redirect to nowhere")
	}
	if !sameHost(base, to) {
		return nil, failed(Redirected, "redirect to the host %.100q", to.Host)
	}
	path, ok := strings.CutSuffix(to.EscapedPath(), advertisementPath)
	if !ok || to.RawQuery != advertisementQuery {
		return nil, failed(Redirected, "redirect to another kind of place")
	}
	next, err := to.Parse(path)
	if err != nil {
		return nil, failed(Redirected, "redirect to nowhere")
	}
	return parseURL((&url.URL{Scheme: to.Scheme, Host: to.Host, Path: next.Path, RawPath: next.RawPath}).String())
}

// An answer reads a body: it moves the deadline with every read, counts against a limit, and names its failures.
type answer struct {
	ctx  context.Context //nolint:containedctx // it lives as long as the body
	fl   *flight
	resp *http.Response
	left int64
}

// Read implements io.Reader.
func (a *answer) Read(p []byte) (int, error) {
	if a.left <= 0 {
		return 0, failed(TooLarge, "the answer is longer than allowed")
	}
	n, err := a.resp.Body.Read(p[:min(int64(len(p)), a.left)])
	a.left -= int64(n)
	if n > 0 {
		a.fl.watch.begin("the next bytes", a.fl.fetcher.options.Timeouts.Idle)
	}
	return n, readError(a.ctx, err)
}
