package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/internal/cli"
)

func signCommand() *cobra.Command {
	var seed, actor, content, pubkey string
	var access keyOptions
	var kind int
	var at int64
	var tags []string
	cmd := &cobra.Command{
		Use:   "sign (--seed SEED --as NAME | --keys FILE --pubkey HEX) --kind NUMBER",
		Short: "Sign an event with a key that a run made up",
		Long: `sign prints an event that a made-up key has signed: one that follows from the seed of a run and a name, and is worth nothing to
anybody. By it the scripts of grasp-check repro answer the challenge of a relay (NIP-42), which is another one each time. Of the keys
that somebody gave to a run it signs with the one of a public key, if they are given again: so the scripts get into a service that is
for its members alone.`,
		Example: "  grasp-check sign --seed 7 --as N42-01/owner --kind 22242 --tag relay=ws://127.0.0.1:7334 --tag challenge=abc",
		Args:    cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if (seed == "" || actor == "") == (pubkey == "") || kind < 0 {
				return cli.Usagef("give --seed and --as, or --keys and --pubkey, and --kind, as the script of grasp-check repro does")
			}
			key := client.NewKey(seed, actor)
			if pubkey != "" {
				given, err := access.read()
				if err != nil {
					return err
				}
				at := slices.IndexFunc(given, func(k client.Key) bool { return k.Pubkey == pubkey })
				if at < 0 {
					return cli.Usagef("--pubkey %s: none of the keys of --keys and --nsec is its secret", pubkey)
				}
				key = given[at]
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
			_, err := fmt.Fprintf(cmd.OutOrStdout(), "%s\n", client.EventJSON(client.Build(key, kind, list, content, at)))
			return err //nolint:wrapcheck // nothing is to be added to a broken pipe
		},
	}
	cmd.Flags().StringVar(&seed, "seed", "", "the `seed` of the run, with its nonce")
	cmd.Flags().StringVar(&actor, "as", "", "the `name` that the key follows from")
	cmd.Flags().StringVar(&pubkey, "pubkey", "", "the public key, in `HEX`, of the one of --keys to sign with")
	access.flag(cmd)
	cmd.Flags().StringVar(&content, "content", "", "the `text` of the event")
	cmd.Flags().IntVar(&kind, "kind", -1, "the `number` of its kind")
	cmd.Flags().Int64Var(&at, "created-at", 0, "its date, in `seconds` since 1970; now if it is not given")
	cmd.Flags().StringArrayVar(&tags, "tag", nil, "a tag, as `name=value`; may be given more than once")
	return cmd
}
