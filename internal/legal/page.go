package legal

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"

	"github.com/graspkit/graspkit/conformance/target"
)

// A page is an answer in plain text.
type page struct {
	status int
	text   string
}

// to is the answer to a request, with the CORS headers that every answer has.
func (p page) to(req *http.Request) *http.Response {
	resp := &http.Response{
		Status: fmt.Sprintf("%d %s", p.status, http.StatusText(p.status)), StatusCode: p.status,
		Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1, Request: req,
		Header: http.Header{
			"Access-Control-Allow-Origin": {"*"}, "Access-Control-Allow-Methods": {"GET, POST"},
			"Access-Control-Allow-Headers": {"Content-Type"}, "Content-Type": {"text/plain; charset=utf-8"},
		},
	}
	refill(resp, []byte(p.text))
	return resp
}

// below is the URL of a request at another path, with the query that it has.
func below(req *http.Request, path string) *url.URL {
	_, query, asked := strings.Cut(target.RequestTarget(req), "?")
	return &url.URL{Scheme: req.URL.Scheme, Host: req.URL.Host, Opaque: "//" + req.URL.Host + path, RawQuery: query, ForceQuery: asked}
}

// drain takes the body out of an answer.
func drain(resp *http.Response) ([]byte, error) {
	body, err := io.ReadAll(resp.Body)
	if err := resp.Body.Close(); err != nil {
		return nil, fmt.Errorf("close body: %w", err)
	}
	if err != nil {
		return nil, fmt.Errorf("read body: %w", err)
	}
	return body, nil
}

// refill gives an answer another body.
func refill(resp *http.Response, body []byte) {
	resp.Body, resp.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	resp.Header.Set("Content-Length", strconv.Itoa(len(body)))
}

// answering is the one habit of a server that answers HTTP in its own way, and keeps nothing in mind for that.
func answering(answer func(f *front, req *http.Request, next exchange) (*http.Response, error)) func() []habit {
	return func() []habit { return []habit{{answer: answer}} }
}

// isDocument tells the relay information document.
func isDocument(_ *http.Request, resp *http.Response) bool {
	return strings.HasPrefix(resp.Header.Get("Content-Type"), "application/nostr+json")
}

// rewritten is a habit that changes the bodies of some answers.
func rewritten(which func(req *http.Request, resp *http.Response) bool, change func(resp *http.Response, body []byte) []byte) habit {
	return habit{answer: func(_ *front, req *http.Request, next exchange) (*http.Response, error) {
		resp, err := next(req)
		if err != nil || !which(req, resp) {
			return resp, err
		}
		body, err := drain(resp)
		if err != nil {
			return nil, err
		}
		refill(resp, change(resp, body))
		return resp, nil
	}}
}

// whole reads the body of a request and puts it back.
func whole(req *http.Request) ([]byte, error) {
	if req.Body == nil {
		return nil, nil
	}
	body, err := io.ReadAll(req.Body)
	if err := req.Body.Close(); err != nil {
		return nil, fmt.Errorf("close request: %w", err)
	}
	if err != nil {
		return nil, fmt.Errorf("read request: %w", err)
	}
	req.Body = io.NopCloser(bytes.NewReader(body))
	return body, nil
}
