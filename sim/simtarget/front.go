package simtarget

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"

	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/reference/web"
)

// fronted lets a request go through what stands before the server, as net/http would hand it over.
func (t *Target) fronted(req *http.Request, body *body) (response web.Response, err error) {
	place := target.RequestTarget(req)
	parsed, err := url.ParseRequestURI(place)
	if err != nil {
		return t.exchange(req, body)
	}
	r := req.Clone(req.Context())
	r.RequestURI, r.URL = place, parsed
	r.Body, r.ContentLength = io.NopCloser(body), body.size
	w := &heard{header: http.Header{}}
	defer func() {
		switch p := recover(); p {
		case nil:
		case http.ErrAbortHandler:
			err = fmt.Errorf("no answer: %w", target.ErrClosed)
		default:
			panic(p)
		}
	}()
	var failed error
	t.opts.Front(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		failed = t.behind(w, r)
	})).ServeHTTP(w, r)
	if failed != nil && w.status == 0 {
		return web.Response{}, failed
	}
	return w.response(), nil
}

// behind answers what has come through.
func (t *Target) behind(w http.ResponseWriter, r *http.Request) error {
	body := &body{}
	if err := body.read(r.Body); err != nil {
		return errors.Join(target.ErrClosed, err)
	}
	r = r.Clone(r.Context())
	r.URL = &url.URL{Opaque: "//server" + r.RequestURI}
	response, err := t.exchange(r, body)
	if err != nil {
		return err
	}
	for _, h := range response.Header {
		w.Header().Add(h.Name, h.Value)
	}
	w.WriteHeader(response.Status)
	_, err = w.Write(response.Body)
	return err
}

// A heard keeps an answer.
type heard struct {
	header http.Header
	status int
	sent   http.Header // as it was when the status was written
	body   bytes.Buffer
}

// Header implements http.ResponseWriter.
func (h *heard) Header() http.Header { return h.header }

// WriteHeader implements http.ResponseWriter.
func (h *heard) WriteHeader(status int) {
	if h.status == 0 {
		h.status, h.sent = status, h.header.Clone()
	}
}

// Write implements http.ResponseWriter.
func (h *heard) Write(p []byte) (int, error) {
	h.WriteHeader(http.StatusOK)
	return h.body.Write(p)
}

func (h *heard) response() web.Response {
	h.WriteHeader(http.StatusOK)
	r := web.Response{Status: h.status, Body: h.body.Bytes()}
	for name, values := range h.sent {
		for _, v := range values {
			r.Header = append(r.Header, web.Header{Name: name, Value: v})
		}
	}
	return r
}
