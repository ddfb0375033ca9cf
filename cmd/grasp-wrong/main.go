// Command grasp-wrong serves on real sockets and gets something wrong on purpose, so that who writes a check, or wonders what
// one sees, can try it. It keeps everything in memory, decides nothing itself, and no operator needs it.
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
