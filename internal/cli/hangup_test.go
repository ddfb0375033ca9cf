//go:build unix

package cli_test

import (
	"bytes"
	"io"
	"os"
	"os/signal"
	"syscall"
	"testing"

	"github.com/spf13/cobra"

	"github.com/graspkit/graspkit/internal/cli"
)

// SIGHUP ends a command, unless that has asked to be told of it.
func TestHangups(t *testing.T) {
	if signal.Ignored(syscall.SIGHUP) {
		t.Skip("SIGHUP is ignored here, as under nohup")
	}
	hangUp := func() error { return syscall.Kill(os.Getpid(), syscall.SIGHUP) }
	for name, run := range map[string]func(cmd *cobra.Command, _ []string) error{
		"ends": func(cmd *cobra.Command, _ []string) error {
			if err := hangUp(); err != nil {
				return err
			}
			<-cmd.Context().Done()
			return nil
		},
		"is told": func(cmd *cobra.Command, _ []string) error {
			told := cli.Hangups(cmd.Context())
			for range 2 {
				if err := hangUp(); err != nil {
					return err
				}
				<-told
			}
			if err := syscall.Kill(os.Getpid(), syscall.SIGTERM); err != nil {
				return err
			}
			<-cmd.Context().Done()
			return nil
		},
	} {
		t.Run(name, func(t *testing.T) {
			var stderr bytes.Buffer
			if code := cli.Run(t.Context(), &cobra.Command{Use: "demo", RunE: run}, nil, nil, io.Discard, &stderr); code != cli.ExitOK {
				t.Errorf("exit code: got %d; stderr %s", code, stderr.String())
			}
		})
	}
}
