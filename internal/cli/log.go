package cli

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"os"
	"time"
)

// NewLogger returns a logger that writes to w: text if w is a terminal, JSON otherwise. Records below
// level are dropped. Every record is stamped with now instead of the clock of the machine; a nil now
// leaves the time out.
func NewLogger(w io.Writer, level slog.Leveler, now func() time.Time) *slog.Logger {
	return newLogger(w, IsTerminal(w), level, now)
}

func newLogger(w io.Writer, text bool, level slog.Leveler, now func() time.Time) *slog.Logger {
	opts := &slog.HandlerOptions{Level: level}
	var inner slog.Handler = slog.NewJSONHandler(w, opts)
	if text {
		inner = slog.NewTextHandler(w, opts)
	}
	return slog.New(&stampingHandler{inner, now})
}

// NewQueuedLogger returns a logger like NewLogger's that never waits for w, and what has the rest written at the end.
func NewQueuedLogger(w io.Writer, level slog.Leveler, now func() time.Time) (logger *slog.Logger, end func() error) {
	queue := NewLogQueue(w, func(dropped int) []byte {
		var line bytes.Buffer
		newLogger(&line, IsTerminal(w), level, now).LogAttrs(context.Background(), slog.LevelError,
			"lines of the log were dropped: they were not taken in time", slog.Int("lines", dropped))
		return line.Bytes()
	})
	return newLogger(queue, IsTerminal(w), level, now), queue.Close
}

// IsTerminal reports whether what is written to w is seen by a person at once, and lines can be written again.
func IsTerminal(w io.Writer) bool {
	file, ok := FileOf(w)
	if !ok {
		return false
	}
	info, err := file.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// A stampingHandler gives each record the time of its clock.
type stampingHandler struct {
	slog.Handler

	now func() time.Time
}

// Handle implements [slog.Handler].
func (h *stampingHandler) Handle(ctx context.Context, r slog.Record) error {
	r.Time = time.Time{}
	if h.now != nil {
		r.Time = h.now()
	}
	return h.Handler.Handle(ctx, r)
}

// WithAttrs implements [slog.Handler].
func (h *stampingHandler) WithAttrs(attrs []slog.Attr) slog.Handler {
	return &stampingHandler{h.Handler.WithAttrs(attrs), h.now}
}

// WithGroup implements [slog.Handler].
func (h *stampingHandler) WithGroup(name string) slog.Handler {
	return &stampingHandler{h.Handler.WithGroup(name), h.now}
}
