package main

import (
	"fmt"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/internal/cli"
)

func signCommand() *cobra.Command {
	var seed, actor, content string
	var kind int
	var at int64
	var tags []string
	cmd := &cobra.Command{
		Use:   "sign --seed SEED --as NAME --kind NUMBER",
		Short: "Sign an event with a key that a run made up",
		Long: `sign prints an event that a made-up key has signed: one that follows from the seed of a run and a name, and is worth nothing to
anybody. By it the scripts of grasp-check repro answer the challenge of a relay (NIP-42), which is another one each time. Keys that
somebody gave to a run are not among these.`,
		Example: "  grasp-check sign --seed 7 --as N42-01/owner --kind 22242 --tag relay=ws://127.0.0.1:7334 --tag challenge=abc",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if seed == "" || actor == "" || kind < 0 {
				return cli.Usagef("give --seed, --as and --kind, as the script of grasp-check repro does")
			}
			var list [][]string
			for _, tag := range tags {
				name, value, is := strings.Cut(tag, "=")
				if !is {
					return cli.Usagef("--tag %q: want name=value", tag)
				}
				list = append(list, []string{name, value})
			}
			if at == 0 {
				at = time.Now().Unix()
			}
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s\n", client.EventJSON(client.Build(client.NewKey(seed, actor), kind, list, content, at)))
			return err //nolint:wrapcheck // nothing is to be added to a broken pipe
		},
	}
	cmd.Flags().StringVar(&seed, "seed", "", "the `seed` of the run, with its nonce")
	cmd.Flags().StringVar(&actor, "as", "", "the `name` that the key follows from")
	cmd.Flags().StringVar(&content, "content", "", "the `text` of the event")
	cmd.Flags().IntVar(&kind, "kind", -1, "the `number` of its kind")
	cmd.Flags().Int64Var(&at, "created-at", 0, "its date, in `seconds` since 1970; now if it is not given")
	cmd.Flags().StringArrayVar(&tags, "tag", nil, "a tag, as `name=value`; may be given more than once")
	return cmd
}
