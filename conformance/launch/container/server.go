package container

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"sync"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/ory/dockertest/v3"
	"github.com/ory/dockertest/v3/docker"

	"github.com/graspkit/graspkit/conformance/launch"
	"github.com/graspkit/graspkit/conformance/livetarget"
	"github.com/graspkit/graspkit/conformance/target"
)

// PortDefault is where a server listens in its container unless the image says otherwise.
const PortDefault = 7334

// An Image says what runs in a container. Repository is required.
type Image struct {
	// Repository names the image, NAME, NAME:TAG or NAME@sha256:DIGEST; the tag is "latest" if none is named. It is pulled if
	// the engine does not have it.
	Repository string
	// Entrypoint is the program in the image; nil is what the image says.
	Entrypoint []string
	// Args are given to it. In each word {addr} stands for the address to listen on in the container, {host} and {port}
	// for its parts, and {url} for where clients reach the service from outside.
	Args []string
	// Env are variables, NAME=value, with the same placeholders.
	Env []string
	// Port is where it listens in the container; zero means 7334.
	Port int
	// ReadyWithin and StopWithin bound the start and an orderly end; zero means launch.ReadyWithin and launch.StopWithin.
	ReadyWithin, StopWithin time.Duration
	// Live are the options of the target.
	Live livetarget.Options
}

// Program is the image that ImportProgram has made under a name, run with some arguments.
func Program(repository string, args ...string) Image {
	return Image{Repository: repository, Entrypoint: []string{programPath}, Args: args}
}

// A Server is a container that runs, as a target. It may be used from several goroutines at once; Restart, Kill and
// Close are carried out one after the other.
type Server struct {
	*livetarget.Target

	image    Image
	pool     *dockertest.Pool
	resource *dockertest.Resource
	clock    clock.Clock

	mu     sync.Mutex // guards what follows, and that one thing is done to the container at a time
	closed bool
}

var (
	_ target.Target    = (*Server)(nil)
	_ target.World     = (*Server)(nil)
	_ target.RawDialer = (*Server)(nil)
	_ target.Restarter = (*Server)(nil)
	_ target.Killer    = (*Server)(nil)
	_ target.Logs      = (*Server)(nil)
)

// Start starts a container and returns when the service in it answers. The caller must Close the server. If it does not
// come up, the error is ErrNoImage, ErrNotStarted, or a launch.OutputError around launch.ErrDied or launch.ErrNotReady, and no
// container is left.
func (e *Engine) Start(ctx context.Context, image Image) (*Server, error) {
	if image.Port == 0 {
		image.Port = PortDefault
	}
	if image.ReadyWithin <= 0 {
		image.ReadyWithin = launch.ReadyWithin
	}
	if image.StopWithin <= 0 {
		image.StopWithin = launch.StopWithin
	}
	outside, err := launch.FreeAddress(ctx)
	if err != nil {
		return nil, err
	}
	if image.Live.Reachback == "" {
		image.Live.Reachback = livetarget.ReachbackNone // its loopback is not ours
	}
	s := &Server{image: image, pool: e.pool, clock: image.Live.Clock}
	if s.clock == nil {
		s.clock = clock.New()
	}
	if s.Target, err = livetarget.New("http://"+outside, image.Live); err != nil {
		return nil, err
	}
	host, port, err := net.SplitHostPort(outside)
	if err != nil {
		return nil, err
	}
	name, tag := split(image.Repository)
	if err := e.have(ctx, name, tag); err != nil {
		return nil, err
	}
	inside := docker.Port(strconv.Itoa(image.Port) + "/tcp")
	place := launch.Place{Addr: net.JoinHostPort("0.0.0.0", strconv.Itoa(image.Port)), URL: "http://" + outside}
	called := containerName()
	s.resource, err = e.pool.RunWithOptions(&dockertest.RunOptions{
		Name: called, Repository: name, Tag: tag,
		Entrypoint: image.Entrypoint, Cmd: place.Fill(image.Args), Env: place.Fill(image.Env),
		ExposedPorts: []string{string(inside)},
		PortBindings: map[docker.Port][]docker.PortBinding{inside: {{HostIP: host, HostPort: port}}},
	})
	if err != nil { // it may have been made all the same
		return nil, errors.Join(fmt.Errorf("%w: %s: %w", ErrNotStarted, image.Repository, err), e.pool.RemoveContainerByName(called))
	}
	if err := s.awaitReady(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// Name is the name of the image.
func (s *Server) Name() string { return s.image.Repository }

// Close removes the container, with what it has written. It is not asked to end before. A second call does nothing.
func (s *Server) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return nil
	}
	s.closed = true
	if err := s.pool.Purge(s.resource); err != nil {
		return fmt.Errorf("remove container: %w", err)
	}
	return nil
}
