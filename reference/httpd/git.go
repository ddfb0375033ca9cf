package httpd

import (
	"compress/flate"
	"compress/gzip"
	"context"
	"errors"
	"io"
	"net/http"
	"os"

	"github.com/graspkit/graspkit/reference/gitserve"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/gitturn"
	"github.com/graspkit/graspkit/reference/node"
	"github.com/graspkit/graspkit/reference/web"
)

// serveGit runs one git conversation. Its headers are written with the first byte of the body; what fails before that
// is answered with a status, what fails later cuts the connection, so that no client takes a torso for the whole.
func (s *Server) serveGit(w http.ResponseWriter, r *http.Request, route web.Route) {
	client := s.client(r)
	if route.Kind == web.KindReceivePack && route.Repo.IsContribution() && !s.contributors.take(client) {
		s.tooFast(w)
		return
	}
	leave, ok := s.git.enter(client)
	if !ok {
		s.respond(w, s.web.Error(http.StatusServiceUnavailable, "Git error: too many requests at once"))
		return
	}
	defer leave()
	r = r.WithContext(gitturn.From(r.Context(), client))
	out := &gitAnswer{w: w, pace: s.newPace(w), header: s.web.CORS()}
	out.header = append(out.header, web.Header{Name: "Content-Type", Value: contentType(route)})
	out.header = append(out.header, noCache...)
	defer out.pace.free()
	err := s.converse(r, route, out)
	var answered *gitserve.AnsweredError
	switch {
	case err == nil:
		out.begin()
	case errors.As(err, &answered):
		s.logFailure(r.Context(), string(route.Service), route.Repo, err)
		out.begin()
	case !out.begun:
		w.Header().Set("Connection", "close") // the rest of the body is not worth reading
		s.respond(w, s.gitError(r.Context(), route, err))
	default:
		s.logFailure(r.Context(), string(route.Service), route.Repo, err)
		panic(http.ErrAbortHandler)
	}
}

var noCache = []web.Header{
	{Name: "Expires", Value: "Fri, 01 Jan 1980 00:00:00 GMT"},
	{Name: "Pragma", Value: "no-cache"},
	{Name: "Cache-Control", Value: "no-cache, max-age=0, must-revalidate"},
}

func contentType(route web.Route) string {
	what := "-result"
	if route.Kind == web.KindAdvertise {
		what = "-advertisement"
	}
	return "application/x-" + string(route.Service) + what
}

func (s *Server) converse(r *http.Request, route web.Route, out *gitAnswer) error {
	ctx, version := r.Context(), r.Header.Get("Git-Protocol")
	if route.Kind == web.KindAdvertise {
		return gitserve.Advertise(ctx, s.backend, route.Repo, route.Service, version, out)
	}
	limit := s.limits.FetchBytes
	if route.Kind == web.KindReceivePack {
		limit = s.limits.PushBytes
	}
	if r.ContentLength > limit {
		return &gitserve.TooLargeError{Limit: limit}
	}
	// The backend may answer while the client still sends.
	if err := http.NewResponseController(out.w).EnableFullDuplex(); err != nil && !errors.Is(err, http.ErrNotSupported) {
		return err
	}
	body, err := gitserve.Body(r.Header.Get("Content-Encoding"), pacedReader{r.Body, out.pace}, limit)
	if err != nil {
		return err
	}
	body = s.body(route.Service, body)
	if route.Kind == web.KindUploadPack {
		return gitserve.UploadPack(ctx, s.backend, route.Repo, version, body, out)
	}
	gate := s.node.Gate(ctx)
	defer gate.Close()
	return gitserve.ReceivePack(ctx, s.backend, gate, route.Repo, body, out)
}

// gitError says what a client may know about an error.
func (s *Server) gitError(ctx context.Context, route web.Route, err error) web.Response {
	var tooLarge *gitserve.TooLargeError
	var corrupt flate.CorruptInputError
	var body *bodyError
	status, text := http.StatusInternalServerError, "Git error: the server failed"
	switch {
	case errors.Is(err, gitstore.ErrNoRepository):
		status, text = http.StatusNotFound, "Git error: repository not found"
	case errors.As(err, &tooLarge):
		status, text = http.StatusRequestEntityTooLarge, "Git error: the request is too large"
	case errors.Is(err, gitserve.ErrEncoding):
		status, text = http.StatusUnsupportedMediaType, "Git error: the content encoding is not supported, or broken"
	case errors.Is(err, node.ErrStopped):
		status, text = http.StatusServiceUnavailable, "Git error: the server is stopping"
	case errors.Is(err, os.ErrDeadlineExceeded):
		status, text = http.StatusRequestTimeout, "Git error: the request came too slowly"
	case errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF), errors.Is(err, gzip.ErrChecksum), errors.As(err, &corrupt),
		errors.As(err, &body):
		status, text = http.StatusBadRequest, "Git error: the request ends too early, or is broken"
	default:
		s.logFailure(ctx, string(route.Service), route.Repo, err)
	}
	return s.web.Error(status, text)
}

// A gitAnswer writes the headers of a git answer before its first byte.
type gitAnswer struct {
	w      http.ResponseWriter
	pace   *pace
	header []web.Header
	begun  bool
}

func (a *gitAnswer) begin() {
	if a.begun {
		return
	}
	a.begun = true
	for _, h := range a.header {
		a.w.Header().Add(h.Name, h.Value)
	}
	a.w.WriteHeader(http.StatusOK)
}

// Write sends bytes of the body.
func (a *gitAnswer) Write(p []byte) (int, error) {
	if len(p) == 0 { // nothing has been said yet
		return 0, nil
	}
	a.begin()
	return a.pace.write(a.w, p)
}
