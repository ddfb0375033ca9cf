package simtarget

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/reference/gitserve"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/web"
)

// RoundTrip implements target.Target. The body of the request is read before anything of it is looked at.
func (t *Target) RoundTrip(req *http.Request) (_ *http.Response, err error) {
	body := &body{}
	if req.Body != nil {
		defer req.Body.Close()
		if err := body.read(req.Body); err != nil {
			return nil, fmt.Errorf("read request body: %w", err)
		}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	defer t.mourn(&err)
	if err := t.absent(canceled(req.Context())); err != nil {
		return nil, err
	}
	answer := t.exchange
	if t.opts.Front != nil {
		answer = t.fronted
	}
	response, err := answer(req, body)
	if err != nil {
		return nil, err
	}
	return t.render(req, response), nil
}

// exchange finds the answer to a request.
func (t *Target) exchange(req *http.Request, body *body) (web.Response, error) {
	path, query, _ := strings.Cut(target.RequestTarget(req), "?")
	if _, err := url.ParseRequestURI(path); err != nil {
		return t.web.Error(http.StatusBadRequest, "Bad request"), nil
	}
	method := req.Method
	if method == "" {
		method = http.MethodGet
	}
	route := t.route(web.Request{
		Method: method, Path: path, Query: query,
		Header: func(name string) string { return strings.Join(req.Header.Values(name), ", ") },
	})
	switch route.Kind { //nolint:exhaustive // the others are the git conversations below
	case web.KindRespond:
		return route.Response, nil
	case web.KindWebSocket:
		return web.Response{Status: http.StatusSwitchingProtocols, Header: append(
			t.web.CORS(), web.Header{Name: "Connection", Value: "Upgrade"}, web.Header{Name: "Upgrade", Value: "websocket"})}, nil
	}
	if body.size > bodyMax {
		return t.gitError(&gitserve.TooLargeError{Limit: bodyMax}), nil
	}
	var out bytes.Buffer
	switch err := t.converse(req, route, body, &out); {
	case errors.Is(err, target.ErrIdle):
		return web.Response{}, target.ErrIdle
	case err != nil && out.Len() > 0:
		return web.Response{}, fmt.Errorf("answer was cut off: %w", target.ErrClosed)
	case err != nil:
		return t.gitError(err), nil
	}
	what := "-result"
	if route.Kind == web.KindAdvertise {
		what = "-advertisement"
	}
	return web.Response{Status: http.StatusOK, Body: out.Bytes(), Header: append(
		t.web.CORS(),
		web.Header{Name: "Content-Type", Value: "application/x-" + string(route.Service) + what},
		web.Header{Name: "Cache-Control", Value: "no-cache, max-age=0, must-revalidate"},
		web.Header{Name: "Expires", Value: "Fri, 01 Jan 1980 00:00:00 GMT"},
		web.Header{Name: "Pragma", Value: "no-cache"})}, nil
}

func (t *Target) route(r web.Request) web.Route {
	route := t.web.Route(view{t.node.Server(), t.engine.Now()}, r)
	if t.opts.Answer != nil {
		route = t.opts.Answer(r, route)
	}
	return route
}

// cancel never cancels: what takes no time cannot be given up.
type cancel struct{}

// Err implements gitstore.Cancel.
func (cancel) Err() error { return nil }

// converse runs one git conversation.
func (t *Target) converse(req *http.Request, route web.Route, body *body, out io.Writer) error {
	version := strings.Join(req.Header.Values("Git-Protocol"), ", ")
	if route.Kind == web.KindAdvertise {
		return gitserve.Advertise(cancel{}, t.backend, route.Repo, route.Service, version, out)
	}
	in, err := gitserve.Body(req.Header.Get("Content-Encoding"), body, bodyMax)
	if err != nil {
		return err
	}
	if t.opts.Body != nil {
		in = t.opts.Body(route.Service, in)
	}
	if route.Kind == web.KindUploadPack {
		return gitserve.UploadPack(cancel{}, t.backend, route.Repo, version, in, out)
	}
	return gitserve.ReceivePack(cancel{}, t.backend, gate{t}, route.Repo, in, out)
}

// gitError is what a client may know of an error.
func (t *Target) gitError(err error) web.Response {
	var tooLarge *gitserve.TooLargeError
	var corrupt flate.CorruptInputError
	switch {
	case errors.Is(err, gitstore.ErrNoRepository):
		return t.web.Error(http.StatusNotFound, "Git error: repository not found")
	case errors.As(err, &tooLarge):
		return t.web.Error(http.StatusRequestEntityTooLarge, "Git error: the request is too large")
	case errors.Is(err, gitserve.ErrEncoding):
		return t.web.Error(http.StatusUnsupportedMediaType, "Git error: the content encoding is not supported, or broken")
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF), errors.Is(err, gzip.ErrChecksum), errors.As(err, &corrupt):
		return t.web.Error(http.StatusBadRequest, "Git error: the request ends too early, or is broken")
	}
	return t.web.Error(http.StatusInternalServerError, "Git error: the server failed")
}

// render makes the answer what net/http would.
func (t *Target) render(req *http.Request, r web.Response) *http.Response {
	header := http.Header{"Date": {time.Unix(t.engine.Now().Unix(), 0).UTC().Format(http.TimeFormat)}}
	for _, h := range r.Header {
		header.Add(h.Name, h.Value)
	}
	body := r.Body
	if req.Method == http.MethodHead {
		body = nil
	}
	if r.Status >= http.StatusOK && r.Status != http.StatusNoContent {
		header.Set("Content-Length", strconv.Itoa(len(r.Body)))
	}
	return &http.Response{
		Status: fmt.Sprintf("%d %s", r.Status, http.StatusText(r.Status)), StatusCode: r.Status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: header, Body: io.NopCloser(bytes.NewReader(body)), ContentLength: int64(len(body)), Request: req,
	}
}
