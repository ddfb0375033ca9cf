// Package reference puts the parts of the reference server together: the core, the node that runs it, the fetches and the
// connections that it orders, and HTTP. It decides nothing, opens no disk and no socket, and plants no mistake.
package reference

import (
	"context"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"

	"github.com/benbjohnson/clock"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/fetch"
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/httpd"
	"github.com/graspkit/graspkit/reference/node"
	"github.com/graspkit/graspkit/reference/peer"
	"github.com/graspkit/graspkit/reference/servicekey"
	"github.com/graspkit/graspkit/reference/web"
)

// Options are the settings of a server, and what it stands on. Zero values of settings stand for the defaults of their
// packages.
type Options struct {
	Core           core.Config // its service is that of the pages
	Pages          web.Config
	Limits         httpd.Limits
	Proxies        []netip.Prefix
	ConnectionsMax int
	Shares         node.Shares
	Fetches        fetch.Options   // without a backend they go to Backend; the clock is Clock
	Peers          peer.Options    // the clock and the logger are those of the server
	Key            *servicekey.Key // by which the server authenticates to others (G08-10); nil is to nobody

	Backend gitstore.Backend // required
	Journal node.Journal     // required; the server closes it
	Clock   clock.Clock      // nil is the time of day
	Logger  *slog.Logger     // nil logs nothing
	Seams   Seams
}

// Seams are where something may be put between the parts, by those who try a judge. Nil ones are nothing.
type Seams struct {
	Machine func(core.Machine) core.Machine
	Answer  func(web.Request, web.Route) web.Route
	Body    func(gitproto.Service, io.Reader) io.Reader
	Front   func(http.Handler) http.Handler
}

// A Server is a server that has started. It takes connections once Serve is called.
type Server struct {
	Node    *node.Node
	HTTP    *httpd.Server
	Fetches *fetch.Fetcher
	Peers   *peer.Peers
}

// Open starts a server on what survived in its journal and its repositories. Errors are those of node.New.
func Open(o Options) (*Server, error) {
	if o.Clock == nil {
		o.Clock = clock.New()
	}
	o.Core.Service = o.Pages.Service
	o.Pages.Contributions = o.Core.Contributions.On
	o.Pages.Archive, o.Pages.ReadOnly = o.Core.Archive.Scope.Entries(), o.Core.Archive.ReadOnly
	if o.Fetches.Backend == nil {
		o.Fetches.Backend = o.Backend
	}
	o.Fetches.Clock, o.Fetches.AllowLocal = o.Clock, o.Core.Hunt.AllowPrivate
	if o.Key != nil {
		o.Fetches.Authorize, o.Peers.Sign, o.Core.Sync.Identity = o.Key.Authorization, o.Key.Answer, true
		o.Pages.Self = string(o.Key.Public())
	}
	o.Pages.Private = o.Core.Private.On
	fetches := fetch.New(o.Fetches)
	o.Peers.Clock, o.Peers.Logger, o.Peers.AllowLocal = o.Clock, o.Logger, o.Core.Sync.AllowPrivate
	peers := peer.New(o.Peers)
	var machine core.Machine = core.New(o.Core)
	if o.Seams.Machine != nil {
		machine = o.Seams.Machine(machine)
	}
	n, err := node.New(node.Config{
		Core: o.Core, Machine: machine, Backend: o.Backend, Journal: o.Journal, Clock: o.Clock, Logger: o.Logger,
		Fetcher: fetch.Carrier{Fetcher: fetches}, Peers: peers, ConnectionsMax: o.ConnectionsMax, Shares: o.Shares,
	})
	if err != nil {
		fetches.Close()
		peers.Close()
		return nil, err
	}
	server := httpd.New(httpd.Config{
		Node: n, Backend: o.Backend, Web: o.Pages, Limits: o.Limits, Proxies: o.Proxies, Logger: o.Logger,
		Answer: o.Seams.Answer, Body: o.Seams.Body, Front: o.Seams.Front,
	})
	return &Server{Node: n, HTTP: server, Fetches: fetches, Peers: peers}, nil
}

// Serve takes connections until the server is closed. It closes the listener.
func (s *Server) Serve(l net.Listener) error { return s.HTTP.Serve(l) }

// Close ends the server in order: pushes that run may finish until ctx ends, clients are told, the journal is closed.
func (s *Server) Close(ctx context.Context) error {
	s.Fetches.Close()
	err := s.HTTP.Close(ctx)
	s.Peers.Close()
	return err
}
