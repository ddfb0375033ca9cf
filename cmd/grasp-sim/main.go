// Command grasp-sim runs the simulated world, and the reference server on real sockets. It contains no rule of any
// protocol: it reads arguments, calls the rooms that do the work, and turns what they say into text and exit codes.
package main

import (
	"context"
	"io"
	"os"

	"github.com/graspkit/graspkit/internal/cli"
)

func main() { os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return cli.Run(ctx, rootCommand(), args, stdin, stdout, stderr)
}
