package cli

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"syscall"

	"github.com/spf13/cobra"
)

// Listen opens the listening socket that a flag asks for. An error says what to do about it.
func Listen(ctx context.Context, flag, addr string) (net.Listener, error) {
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", addr)
	switch {
	case err == nil:
		return l, nil
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, &ExitError{
			Code: ExitHarness, Err: fmt.Errorf("%s %s: the port is in use", flag, addr),
			Hint: "stop who uses it, or choose another port with " + flag + "; port 0 takes a free one",
		}
	case errors.Is(err, fs.ErrPermission):
		return nil, &ExitError{
			Code: ExitHarness, Err: fmt.Errorf("%s %s: no permission to listen there", flag, addr), Hint: "choose a port above 1023",
		}
	default:
		return nil, &ExitError{
			Code: ExitHarness, Err: fmt.Errorf("%s %s: %w", flag, addr, err),
			Hint: "choose an address of this machine, such as 127.0.0.1:7334",
		}
	}
}

// AnnounceAddress prints the line that says where a server is, and that it takes connections.
func AnnounceAddress(cmd *cobra.Command, l net.Listener) error {
	if _, err := fmt.Fprintf(cmd.OutOrStdout(), "listening http://%s\n", l.Addr()); err != nil {
		return fmt.Errorf("print the address: %w", err)
	}
	return nil
}
