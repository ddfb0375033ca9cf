// Command grasp-check judges GRASP servers. It contains no check and no rule of any protocol: it reads
// arguments, runs the suite on the targets named, and turns results into text, files and exit codes.
package main

import (
	"context"
	"io"
	"os"

	_ "golang.org/x/crypto/x509roots/fallback" // for machines without roots of their own, such as a container FROM scratch

	"github.com/graspkit/graspkit/internal/cli"
)

func main() { os.Exit(run(context.Background(), os.Args[1:], os.Stdin, os.Stdout, os.Stderr)) }

func run(ctx context.Context, args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	return cli.Run(ctx, rootCommand(), args, stdin, stdout, stderr)
}
