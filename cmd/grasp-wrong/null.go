package main

import (
	"context"
	"errors"
	"net"
	"net/http"
	"time"

	"github.com/benbjohnson/clock"
	"github.com/spf13/cobra"

	"github.com/graspkit/graspkit/internal/cli"
	"github.com/graspkit/graspkit/internal/defect"
)

// headerWait is how long a client of a null server may take for its headers.
const headerWait = 10 * time.Second

// serveNull runs a null server until the context of the command ends.
func serveNull(cmd *cobra.Command, addr string, null defect.Null) error {
	l, err := cli.Listen(cmd.Context(), "--addr", addr)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	server := &http.Server{
		Handler:           null.Handler(ctx, clock.New()),
		ReadHeaderTimeout: headerWait,
		BaseContext:       func(net.Listener) context.Context { return ctx },
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	err = cli.AnnounceAddress(cmd, l)
	if err == nil {
		select {
		case <-cmd.Context().Done():
		case err = <-served:
			return err
		}
	}
	cancel()
	err = errors.Join(err, server.Close())
	if end := <-served; !errors.Is(end, http.ErrServerClosed) {
		err = errors.Join(err, end)
	}
	return err
}
