package legal

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/reference/gitproto"
)

// oneByOne carries out the commands of a push one after the other, as git does, unless the client asks for all or none.
func oneByOne() habit {
	return habit{answer: func(_ *front, req *http.Request, next exchange) (*http.Response, error) {
		path, _, _ := strings.Cut(target.RequestTarget(req), "?")
		if req.Method != http.MethodPost || !strings.HasSuffix(path, "/git-receive-pack") || req.Header.Get("Content-Encoding") != "" {
			return next(req)
		}
		body, err := whole(req)
		if err != nil {
			return nil, err
		}
		pack := bytes.NewReader(body)
		list, err := gitproto.ReadCommands(pack)
		if err != nil || len(list.Commands) < 2 || list.Shape.Atomic || !list.Capabilities.Has("report-status") {
			return next(req)
		}
		report := gitproto.Status{Unpack: "ok"}
		for _, c := range list.Commands {
			one := list
			one.Commands, one.Capabilities = []gitproto.Command{c}, gitproto.Capabilities{"report-status"}
			status, resp, err := alone(req, one, body[len(body)-pack.Len():], next)
			if err != nil || resp != nil {
				return resp, err
			}
			for i := range status.Refs {
				if !status.Refs[i].OK && done(req, c, next) { // the server inside has moved it by itself
					status.Refs[i].OK, status.Refs[i].Reason = true, ""
				}
			}
			report.Refs = append(report.Refs, status.Refs...)
			if report.Unpack == "ok" {
				report.Unpack = status.Unpack
			}
		}
		return reported(req, list, report)
	}}
}

// alone pushes one command. It returns the answer as it came if it is no report.
func alone(req *http.Request, list gitproto.CommandList, pack []byte, next exchange) (gitproto.Status, *http.Response, error) {
	var body bytes.Buffer
	if err := gitproto.WriteCommands(&body, list); err != nil {
		return gitproto.Status{}, nil, fmt.Errorf("write command: %w", err)
	}
	if !list.Commands[0].New.IsZero() {
		body.Write(pack)
	}
	one := req.Clone(req.Context())
	one.Body, one.ContentLength = io.NopCloser(&body), int64(body.Len())
	resp, err := next(one)
	if err != nil {
		return gitproto.Status{}, nil, err
	}
	answer, err := drain(resp)
	if err != nil {
		return gitproto.Status{}, nil, err
	}
	status, err := gitproto.ReadStatus(bytes.NewReader(answer))
	if err != nil {
		refill(resp, answer)
		return gitproto.Status{}, resp, nil //nolint:nilerr // what is no report is the answer
	}
	return status, nil, nil
}

// done reports whether a ref is where a command wants it.
func done(req *http.Request, c gitproto.Command, next exchange) bool {
	path, _, _ := strings.Cut(target.RequestTarget(req), "?")
	ask := req.Clone(req.Context())
	ask.Method, ask.Body, ask.ContentLength, ask.Header = http.MethodGet, nil, 0, http.Header{}
	ask.URL = &url.URL{
		Scheme: req.URL.Scheme, Host: req.URL.Host, RawQuery: "service=git-receive-pack",
		Opaque: "//" + req.URL.Host + strings.TrimSuffix(path, "git-receive-pack") + "info/refs",
	}
	resp, err := next(ask)
	if err != nil {
		return false
	}
	body, err := drain(resp)
	if err != nil || resp.StatusCode != http.StatusOK {
		return false
	}
	at := bytes.Index(body, append([]byte(" "+c.Ref), '\n'))
	if at < 0 {
		at = bytes.Index(body, append([]byte(" "+c.Ref), 0))
	}
	if c.New.IsZero() {
		return at < 0
	}
	return at >= 40 && string(body[at-40:at]) == string(c.New)
}

// reported is the answer to a push that was carried out.
func reported(req *http.Request, list gitproto.CommandList, report gitproto.Status) (*http.Response, error) {
	var out bytes.Buffer
	write := report.Write
	if slices.Contains(list.Capabilities, "side-band-64k") {
		write = func(w io.Writer) error { return report.WriteSideBand(w) }
	}
	if err := write(&out); err != nil {
		return nil, fmt.Errorf("write report: %w", err)
	}
	resp := page{http.StatusOK, out.String()}.to(req)
	resp.Header.Set("Content-Type", "application/x-git-receive-pack-result")
	resp.Header.Set("Cache-Control", "no-cache")
	return resp, nil
}
