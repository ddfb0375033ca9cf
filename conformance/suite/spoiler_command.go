package suite

import (
	"fmt"
	"strings"

	"github.com/graspkit/graspkit/conformance/client"
)

// A command is a way to write the commands of a push.
type command struct {
	gap   string // between the NUL and the capabilities
	caps  string // further capabilities
	end   string // of each line
	sep   string // between ids and name; "" is a space
	blank string // behind the name
	fold  func(string) string
	bare  bool // no capabilities at all
	each  bool // capabilities in each line
	wide  bool // two spaces before the name
	upper bool // lengths in upper case
}

// claimed are the capabilities that a push claims: those that are offered, where that is known.
func claimed(opts client.PushOpts) string {
	if opts.Caps != "" {
		return opts.Caps
	}
	return client.CapsDefault
}

// lines writes commands in this way.
func (f command) lines(commands []client.Command, caps string) []string {
	sep := f.sep
	if sep == "" {
		sep = " "
	}
	var lines []string
	for i, c := range commands {
		if f.fold != nil {
			c.Old, c.New = f.fold(c.Old), f.fold(c.New)
		}
		line := c.Old + sep + c.New + sep + c.Ref + f.blank
		if f.wide {
			line = c.Old + " " + c.New + "  " + c.Ref
		}
		if !f.bare && (i == 0 || f.each) {
			line += "\x00" + f.gap + caps + f.caps
		}
		if f.upper {
			lines = append(lines, upperPkt(line, i == 0))
			continue
		}
		lines = append(lines, pkt(line+f.end))
	}
	return lines
}

// upperPkt frames a line with its length in upper case; padded until that has a letter, if it ends in capabilities.
func upperPkt(line string, padded bool) string {
	for framed := pkt(line); padded && framed[:4] == strings.ToUpper(framed[:4]); framed = pkt(line) {
		line += "x"
	}
	return fmt.Sprintf("%04X%s", len(line)+4, line)
}

// longer makes an id as long as those of SHA-256 are.
func longer(id string) string { return id + strings.Repeat("0", 24) }

// shorter abbreviates an id.
func shorter(id string) string { return id[:7] }

// listed writes the command list in a way of its own, and what stands between it and the pack.
func listed(f command, end string) spoiler {
	return func(_ *world, opts *client.PushOpts) {
		opts.RawBody = append([]byte(strings.Join(f.lines(opts.Commands, claimed(*opts)), "")+end), opts.Pack...)
	}
}

// prefixed puts a special packet before the list.
func prefixed(packet string) spoiler {
	return func(_ *world, opts *client.PushOpts) {
		opts.RawBody = append([]byte(packet), client.PushBody(*opts)...)
	}
}

// divided puts a special packet behind each command.
func divided(packet string) spoiler {
	return func(_ *world, opts *client.PushOpts) {
		lines := command{gap: " "}.lines(opts.Commands, claimed(*opts))
		opts.RawBody = append([]byte(strings.Join(lines, packet)+"0000"), opts.Pack...)
	}
}

// crowdSize is more than a thousand.
const crowdSize = 1100

// crowded hides the commands behind many others of their kind.
func crowded(_ *world, opts *client.PushOpts) {
	var all []client.Command
	for i := range crowdSize {
		all = append(all, client.Command{
			Old: client.ZeroOID, New: opts.Commands[0].New, Ref: fmt.Sprintf("refs/heads/crowd-%04d", i),
		})
	}
	opts.Commands = append(all, opts.Commands...)
}

// twice names each ref two times.
func twice(_ *world, opts *client.PushOpts) { opts.Commands = append(opts.Commands, opts.Commands...) }
