package cli

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

var (
	wrongNumber = regexp.MustCompile(`^(?:accepts|requires) .* arg\(s\), .*received (\d+)$`)
	noArguments = regexp.MustCompile(`^unknown command "(.*)" for "`)
)

// kinds are what flags of a type want, in words.
var kinds = map[string]string{
	"duration": "want a number and its unit, such as 90s, 36m or 2h",
	"int":      "want a whole number", "int64": "want a whole number", "uint64": "want a whole number from 0 on",
	"bool": "want true or false",
}

// inWords is what is wrong with a command line, where cobra and pflag speak of their own parsing.
func inWords(cmd *cobra.Command, err error) error {
	path := cmd.CommandPath()
	if m := wrongNumber.FindStringSubmatch(err.Error()); m != nil {
		_, arguments, _ := strings.Cut(cmd.Use, " ")
		noun := "arguments"
		if m[1] == "1" {
			noun = "argument"
		}
		return fmt.Errorf("want %q, got %s %s", path+" "+arguments, m[1], noun)
	}
	if m := noArguments.FindStringSubmatch(err.Error()); m != nil && !cmd.HasAvailableSubCommands() {
		return fmt.Errorf("%q takes no argument, got %q", path, m[1])
	}
	if invalid, is := errors.AsType[*pflag.InvalidValueError](err); is {
		if want := kinds[invalid.GetFlag().Value.Type()]; want != "" {
			return fmt.Errorf("--%s %q: %s", invalid.GetFlag().Name, invalid.GetValue(), want)
		}
	}
	return err
}

// emptyFlag is the error of a flag that was given nothing, as by a variable of a script that is not set: the command would do something
// else than it was told to.
func emptyFlag(cmd *cobra.Command) error {
	var found error
	cmd.Flags().Visit(func(f *pflag.Flag) {
		if found == nil && f.Value.Type() == "string" && f.Value.String() == "" {
			usage := Usagef("--%s is empty", f.Name)
			usage.Hint = "give it a value, or leave it out; a variable may be unset"
			found = usage
		}
	})
	return found
}
