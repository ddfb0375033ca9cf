package main

import (
	"context"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/spf13/pflag"

	"github.com/graspkit/graspkit/conformance/launch"
	"github.com/graspkit/graspkit/conformance/launch/container"
	"github.com/graspkit/graspkit/conformance/livetarget"
	"github.com/graspkit/graspkit/conformance/target"
	"github.com/graspkit/graspkit/internal/cli"
)

// imageOptions are the flags of a server in a container that grasp-check starts itself.
type imageOptions struct {
	image string
	port  int
	env   []string
	args  string
	wait  time.Duration
}

func (o *imageOptions) flags(f *pflag.FlagSet) {
	f.StringVar(&o.image, "image", "", "start a container of this `IMAGE`, judge the server in it, and remove it")
	f.IntVar(&o.port, "port", 0, "of --image: the server listens on port `N` in its container (7334)")
	f.StringArrayVar(&o.env, "env", nil, "of --image: set a variable, `NAME=VALUE`; as often as you like")
	f.StringVar(&o.args, "image-cmd", "", "of --image: give it these `ARGS` (those that the image has)")
	f.DurationVar(&o.wait, "image-wait", 0, "of --image: it is ready within `DURATION` (30s)")
}

// given reports whether there is one of the flags.
func (o *imageOptions) given() bool {
	return o.image != "" || o.port != 0 || len(o.env) > 0 || o.args != "" || o.wait != 0
}

// portMax is the highest port.
const portMax = 65535

// parse reads and checks the flags. No engine is asked.
func (o *imageOptions) parse(live livetarget.Options) (container.Image, error) {
	usage := func(hint, format string, args ...any) (container.Image, error) {
		return container.Image{}, &cli.ExitError{Code: cli.ExitUsage, Err: fmt.Errorf(format, args...), Hint: hint}
	}
	i := container.Image{Repository: o.image, Env: o.env, Port: o.port, ReadyWithin: o.wait, Live: live}
	switch {
	case strings.ContainsAny(o.image, " \t\r\n") || strings.HasSuffix(o.image, ":"):
		return usage("write NAME, NAME:TAG or NAME@sha256:DIGEST; what is to be run in it is --image-cmd", "--image %q: no name of an image", o.image)
	case o.port < 0 || o.port > portMax:
		return usage("", "--port %d: want 1 to %d", o.port, portMax)
	case o.wait < 0:
		return usage("", "--image-wait %v: want a duration that is not negative", o.wait)
	}
	for _, variable := range o.env {
		if name, _, ok := strings.Cut(variable, "="); !ok || name == "" {
			return usage("write NAME=VALUE", "--env %q: no variable", variable)
		}
	}
	if o.args != "" {
		words, err := launch.Words(o.args)
		if err != nil {
			return usage("", "--image-cmd %q: %w", o.args, err)
		}
		i.Args = words
	}
	return i, nil
}

// engineWait bounds the wait for an engine to say that it is there.
const engineWait = 10 * time.Second

// containing makes the opening of a server in a container that is started, and removed, by this process.
func containing(i container.Image, warn io.Writer) opening {
	return opening{
		name: i.Repository, parallel: parallelSockets, memory: judgeMemory,
		open: func(ctx context.Context) (target.Target, func() error, error) {
			limited, cancel := context.WithTimeout(ctx, engineWait)
			defer cancel()
			e, err := container.Connect(limited, "")
			if err != nil {
				return nil, nil, notContained(err)
			}
			s, err := e.Start(ctx, i)
			if err != nil {
				e.Close()
				return nil, nil, notContained(err)
			}
			return s, func() error {
				defer e.Close()
				return endLaunched(s, warn)
			}, nil
		},
	}
}

// notContained gives an error of the start of a container its exit code and its hint.
func notContained(err error) error {
	return notStarted(err,
		cause{container.ErrNoEngine, "start an engine with the API of Docker (dockerd, or podman system service), and name its socket in DOCKER_HOST, such as unix:///run/podman/podman.sock"},
		cause{container.ErrNoImage, "see that the name is right; build the image, or pull it, with this engine"},
		cause{container.ErrNotStarted, "run the image by itself; --image-cmd gives arguments to the program of the image, and no shell reads them"},
		cause{launch.ErrDied, "run the image by itself; --env sets variables, --image-cmd gives arguments"},
		cause{launch.ErrNotReady, "see that it listens on 0.0.0.0 and on the port that --port names; --image-wait gives it more time"},
	)
}
