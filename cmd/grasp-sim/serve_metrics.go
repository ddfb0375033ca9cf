package main

import (
	"context"
	"errors"
	"log/slog"
	"net/http"
	"time"

	"github.com/graspkit/graspkit/internal/cli"
)

// metricsWait bounds how long a request for the metrics may take.
const metricsWait = 10 * time.Second

// serveMetrics serves the metrics at an address of their own, at none if that is "". The function returned ends that.
func serveMetrics(ctx context.Context, addr string, metrics http.Handler, logger *slog.Logger) (end func() error, err error) {
	if addr == "" {
		return func() error { return nil }, nil
	}
	l, err := cli.Listen(ctx, "--metrics", addr)
	if err != nil {
		return nil, err
	}
	server := &http.Server{
		Handler: metrics, ReadHeaderTimeout: metricsWait, ReadTimeout: metricsWait, WriteTimeout: metricsWait, IdleTimeout: metricsWait,
		ErrorLog: slog.NewLogLogger(logger.Handler(), slog.LevelDebug),
	}
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	logger.LogAttrs(ctx, slog.LevelInfo, "metrics", slog.String("url", "http://"+l.Addr().String()+"/metrics"))
	return func() error {
		closed := server.Close()
		if err := <-served; !errors.Is(err, http.ErrServerClosed) {
			return errors.Join(closed, err)
		}
		return closed
	}, nil
}
