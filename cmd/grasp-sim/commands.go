package main

import (
	"github.com/spf13/cobra"

	"github.com/graspkit/graspkit/internal/cli"
)

func commands() []*cobra.Command {
	return []*cobra.Command{
		runCommand(), drawCommand(), exploreCommand(), shrinkCommand(), replayCommand(), timelineCommand(), diffCommand(), serveCommand(),
		cli.ManCommand(),
	}
}
