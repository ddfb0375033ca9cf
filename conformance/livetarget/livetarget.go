// Package livetarget reaches any GRASP server by its URL, over real sockets and in real time.
//
// It moves bytes and measures time: it follows no redirect, uses no proxy, keeps no connection between
// exchanges, compresses nothing and retries nothing. It starts no server and judges none.
package livetarget

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/benbjohnson/clock"

	"github.com/graspkit/graspkit/conformance/target"
)

// Limits and defaults.
const (
	// MaxMessageBytes bounds one relay message.
	MaxMessageBytes = 4 << 20
	// MaxInbox bounds the messages read from a connection before the caller asks for them.
	MaxInbox = 256

	quietDefault       = 300 * time.Millisecond
	timeBudgetDefault  = time.Minute // for what a slow server may take for an answer, which nobody has to ask for
	connectionsDefault = 64
	connectTimeout     = 3 * time.Second
	probeTimeout       = 2 * time.Second
)

// Options tune a Target. The zero value is ready for use.
type Options struct {
	// Clock is the clock of this world; nil means the system's.
	Clock clock.Clock
	// Quiet is how long nothing must come before Recv, called without a deadline, reports ErrIdle; zero
	// means 300 ms.
	Quiet time.Duration
	// TimeBudget is the longest time that Sleep waits; zero means a minute.
	TimeBudget time.Duration
	// Roots are the certificates that vouch for the server's, and Authority is the file that they were read from, for programs that
	// read it themselves; nil means those of the machine.
	Roots     *x509.CertPool
	Authority string
	// Connections bounds the relay connections open at once; zero means 64.
	Connections int
	// NewHost starts a fake git host that listens on an address of this machine, "127.0.0.1", and that the
	// server knows by the host name or address public. Nil means that nobody can.
	NewHost func(ctx context.Context, listen, public string) (target.GitHost, error)
	// NewRelay starts a fake relay in the same way.
	NewRelay func(ctx context.Context, listen, public string) (target.FakeRelay, error)
	// Reachback is the host name or address by which the server reaches this machine, for fake git hosts and relays;
	// empty means that only a server on loopback does, and ReachbackNone that it does not.
	Reachback string
}

// A Target is a live server. It may be used from several goroutines at once.
type Target struct {
	service   url.URL
	clock     clock.Clock
	quiet     time.Duration
	budget    time.Duration
	slots     chan struct{} // one token per open relay connection
	transport *http.Transport
	authority string // see Options
	reached   bool   // the server reaches this machine
	newHost   func(ctx context.Context) (target.GitHost, error)
	newRelay  func(ctx context.Context) (target.FakeRelay, error)
}

var (
	_ target.Target    = (*Target)(nil)
	_ target.World     = (*Target)(nil)
	_ target.Patient   = (*Target)(nil)
	_ target.RawDialer = (*Target)(nil)
)

// New returns the target at a ws, wss, http or https URL. It opens no connection. A trailing slash of
// the path is dropped; a query, a fragment or credentials are errors.
func New(rawURL string, opts Options) (*Target, error) {
	service, err := parseService(rawURL)
	if err != nil {
		return nil, fmt.Errorf("target URL %q: %w", rawURL, err)
	}
	t := &Target{
		service: service,
		clock:   opts.Clock,
		quiet:   orDefault(opts.Quiet, quietDefault),
		budget:  orDefault(opts.TimeBudget, timeBudgetDefault),

		authority: opts.Authority,
	}
	if t.clock == nil {
		t.clock = clock.New()
	}
	t.reachable(opts)
	slots := opts.Connections
	if slots <= 0 {
		slots = connectionsDefault
	}
	t.slots = make(chan struct{}, slots)
	var protocols http.Protocols
	protocols.SetHTTP1(true)
	t.transport = &http.Transport{
		DialContext:            dial,
		DisableKeepAlives:      true,
		DisableCompression:     true,
		Protocols:              &protocols,
		MaxResponseHeaderBytes: 256 << 10,
		TLSHandshakeTimeout:    connectTimeout,
		TLSClientConfig:        &tls.Config{RootCAs: opts.Roots, MinVersion: tls.VersionTLS12},
	}
	return t, nil
}

func parseService(rawURL string) (url.URL, error) {
	u, err := url.Parse(rawURL)
	if err != nil {
		return url.URL{}, err
	}
	switch u.Scheme {
	case "ws":
		u.Scheme = "http"
	case "wss":
		u.Scheme = "https"
	case "http", "https":
	default:
		return url.URL{}, errors.New("scheme is none of ws, wss, http and https")
	}
	switch {
	case u.Hostname() == "":
		return url.URL{}, errors.New("no host")
	case !isPort(u.Port()):
		return url.URL{}, fmt.Errorf("no port %s, want 1 to 65535", u.Port())
	case u.User != nil:
		return url.URL{}, errors.New("credentials are not supported")
	case u.RawQuery != "" || u.Fragment != "":
		return url.URL{}, errors.New("a query or a fragment is not part of a service URL")
	}
	service := url.URL{Scheme: u.Scheme, Host: u.Host, Path: strings.TrimRight(u.Path, "/")}
	if u.RawPath != "" {
		service.RawPath = strings.TrimRight(u.RawPath, "/")
	}
	return service, nil
}

// isPort reports whether a port is one, or none, which is that of the scheme.
func isPort(port string) bool {
	n, err := strconv.ParseUint(port, 10, 16)
	return port == "" || err == nil && n > 0
}

// Name is the service URL.
func (t *Target) Name() string { return t.service.String() }

// ServiceURL is the http or https origin, with a base path if there is one, without a trailing slash.
func (t *Target) ServiceURL() string { return t.service.String() }

// World is "live".
func (t *Target) World() string { return "live" }

// Loopback reports whether the server is on this machine, judged by the URL alone. It decides whether writing needs leave.
func (t *Target) Loopback() bool { return target.OnThisMachine(t.service.Hostname()) }

// Authority is the file with the certificates to trust, "" for those of the machine.
func (t *Target) Authority() string { return t.authority }

// Now is the time of the target's clock.
func (t *Target) Now() time.Time { return t.clock.Now() }

// Patience is the time budget of one wait.
func (t *Target) Patience() time.Duration { return t.budget }

// Sleep waits d. It returns an error that wraps target.ErrUnsupported, at once, if d is longer than the
// time budget, and the cause of ctx if that ends first.
func (t *Target) Sleep(ctx context.Context, d time.Duration) error {
	if d > t.budget {
		return fmt.Errorf("wait %v, time budget %v: %w", d, t.budget, target.ErrUnsupported)
	}
	timer := t.clock.Timer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

func orDefault(d, def time.Duration) time.Duration {
	if d <= 0 {
		return def
	}
	return d
}
