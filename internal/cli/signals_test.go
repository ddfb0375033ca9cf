//go:build unix

package cli_test

import (
	"bytes"
	"context"
	"io"
	"os"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"github.com/graspkit/graspkit/internal/cli"
)

func TestRunSignals(t *testing.T) {
	tests := []struct {
		name   string
		end    func(ctx context.Context) error
		code   int
		stderr string
	}{
		{"an orderly end", func(context.Context) error { return nil }, 0, ""},
		{"an interrupted run", context.Context.Err, 130, "demo: interrupted\n"},
		{"an interrupt that comes to the process and to its group", func(ctx context.Context) error {
			for since := time.Now(); time.Since(since) < cli.Together/5; { // long enough for whoever stops to listen at the first one
				if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
					return err
				}
			}
			return ctx.Err()
		}, 130, "demo: interrupted\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			root := &cobra.Command{Use: "demo", RunE: func(cmd *cobra.Command, _ []string) error {
				if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
					return err
				}
				<-cmd.Context().Done()
				return test.end(cmd.Context())
			}}
			var stderr bytes.Buffer
			if code := cli.Run(t.Context(), root, nil, nil, io.Discard, &stderr); code != test.code {
				t.Errorf("exit code: got %d, want %d", code, test.code)
			}
			if stderr.String() != test.stderr {
				t.Errorf("stderr: got %q, want %q", stderr.String(), test.stderr)
			}
		})
	}
}
