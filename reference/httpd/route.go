package httpd

import (
	"context"
	"log/slog"
	"net/http"
	"strings"

	"github.com/graspkit/graspkit/reference/node"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/reference/web"
)

const textStopping = "The server is stopping"

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if !s.enter() {
		s.respond(w, s.web.Error(http.StatusServiceUnavailable, textStopping))
		return
	}
	defer s.requests.Done()
	request := requestOf(r)
	view := &nodeView{ctx: r.Context(), node: s.node, log: s.log}
	route := s.web.Route(view, request)
	if view.err != nil {
		route = web.Route{Kind: web.KindRespond, Response: s.web.Error(http.StatusServiceUnavailable, textStopping)}
	}
	route = s.answer(request, route)
	s.log.LogAttrs(r.Context(), slog.LevelDebug, "request",
		slog.String("method", request.Method), slog.String("path", request.Path), slog.Int("route", int(route.Kind)))
	switch route.Kind {
	case web.KindWebSocket:
		s.serveSocket(w, r)
	case web.KindAdvertise, web.KindUploadPack, web.KindReceivePack:
		s.serveGit(w, r, route)
	default:
		s.respond(w, route.Response)
	}
}

// requestOf takes path and query from the request line, as they stand there.
func requestOf(r *http.Request) web.Request {
	target := r.RequestURI
	if !strings.HasPrefix(target, "/") { // absolute form, as proxies send it; or "*"
		target = r.URL.EscapedPath()
		if r.URL.RawQuery != "" {
			target += "?" + r.URL.RawQuery
		}
	}
	path, query, _ := strings.Cut(target, "?")
	return web.Request{
		Method: r.Method,
		Path:   path,
		Query:  query,
		Header: func(name string) string { return strings.Join(r.Header.Values(name), ", ") },
	}
}

// respond writes a whole answer. net/http leaves the body out for HEAD.
func (s *Server) respond(w http.ResponseWriter, response web.Response) {
	for _, h := range response.Header {
		w.Header().Add(h.Name, h.Value)
	}
	w.WriteHeader(response.Status)
	if len(response.Body) > 0 {
		_, _ = w.Write(response.Body) // the client is gone, and nobody is left to tell
	}
}

// A nodeView asks a node what is at an ID and whether a token counts, and remembers that it could not.
type nodeView struct {
	ctx  context.Context //nolint:containedctx // it is that of the request, as the view is
	node *node.Node
	log  *slog.Logger
	err  error
}

// Repository asks the node.
func (v *nodeView) Repository(id repo.ID) web.Repository {
	found, err := v.node.Repository(v.ctx, id)
	if err != nil {
		v.err = err
	}
	return found
}

// Admits asks the node. What is wrong with a token is for the operator to know.
func (v *nodeView) Admits(t web.Token) bool {
	ruling, err := v.node.Admits(v.ctx, t)
	if err != nil {
		v.err = err
		return false
	}
	if !ruling.Accepted() {
		v.log.LogAttrs(v.ctx, slog.LevelDebug, "token refused",
			slog.String("repo", t.Repo.Path()), slog.String("pubkey", t.Event.PubKey), slog.String("reason", ruling.Text()))
	}
	return ruling.Accepted()
}

// logFailure reports what went wrong on our side. A client that went away is none of that.
func (s *Server) logFailure(ctx context.Context, what string, id repo.ID, err error) {
	if ctx.Err() != nil {
		return
	}
	s.log.LogAttrs(ctx, slog.LevelError, "request failed",
		slog.String("request", what), slog.String("repo", id.Path()), slog.Any("error", err))
}
