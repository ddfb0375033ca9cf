package gitproto

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/graspkit/graspkit/reference/repo"
)

// Limits of what may stand before the pack of a push (G01-PUSH-20).
const (
	CommandListMax = 1 << 20  // bytes, push options included
	CommandMax     = 8 * 1024 // commands
	ShallowMax     = 8 * 1024 // shallow lines
	OptionMax      = 64       // push options
	OptionBytesMax = 4 * 1024 // bytes of one push option
)

// A CommandList is the first part of a receive-pack request. What it holds is exactly what is judged and executed:
// where git might read a line otherwise, ReadCommands refuses the whole list.
type CommandList struct {
	Commands     []Command
	Shallow      []repo.OID
	Capabilities Capabilities
	Shape        Shape
}

// ReadCommands reads a command list and, where the client announced them, the push options, and not a byte of the
// pack that follows. An empty list is valid: it is git's probe before a large push. With a push certificate it stops
// at once: Shape.Certificate is set, there are no commands, and r is left somewhere within the certificate. A list
// that is malformed or beyond a limit is a *ProtocolError, beside the capabilities if they were read, which say how
// the client can be answered; other errors are those of r.
func ReadCommands(r io.Reader) (CommandList, error) {
	p := commandParser{lines: NewReader(r, CommandListMax), seen: map[string]bool{}}
	for {
		line, more, err := p.next("the command list")
		if err != nil {
			return p.refused(), err
		}
		if !more {
			break
		}
		if err := p.line(line); err != nil {
			return p.refused(), err
		}
		if p.list.Shape.Certificate {
			p.list.Commands = nil
			return p.list, nil
		}
	}
	p.list.Shape.Atomic = p.list.Capabilities.Has("atomic")
	p.list.Shape.Shallow = len(p.list.Shallow)
	if len(p.list.Commands) > 0 && p.list.Capabilities.Has("push-options") {
		if err := p.options(); err != nil {
			return p.refused(), err
		}
	}
	return p.list, nil
}

// refused is what is left of a list that cannot be read: how its client wants to be answered, and no command.
func (p *commandParser) refused() CommandList {
	return CommandList{Capabilities: p.list.Capabilities}
}

type commandParser struct {
	lines *Reader
	list  CommandList
	first bool // the first line, which carries the capabilities, was read
	seen  map[string]bool
}

// next returns one line, or more = false at the flush that ends a section.
func (p *commandParser) next(section string) (line []byte, more bool, err error) {
	packet, err := p.lines.Next()
	switch {
	case errors.Is(err, io.EOF):
		return nil, false, protocolErrorf("%s ends without a flush packet", section)
	case err != nil:
		var bad *ProtocolError
		if errors.As(err, &bad) {
			return nil, false, err
		}
		return nil, false, fmt.Errorf("read %s: %w", section, err)
	case packet.Kind == FlushPacket:
		return nil, false, nil
	case packet.Kind != DataPacket:
		return nil, false, protocolErrorf("%s has a delimiter or response-end packet", section)
	}
	return packet.Text(), true, nil
}

func (p *commandParser) line(line []byte) error {
	if rest, ok := bytes.CutPrefix(line, []byte("shallow ")); ok {
		return p.shallow(string(rest))
	}
	text, capabilities, found := bytes.Cut(line, []byte{0})
	if found {
		if p.first {
			return protocolErrorf("a NUL stands in a line that is not the first command")
		}
		if bytes.IndexByte(capabilities, 0) >= 0 {
			return protocolErrorf("a NUL stands among the capabilities")
		}
		p.list.Capabilities = ParseCapabilities(string(capabilities))
		if err := p.list.Capabilities.check(); err != nil {
			return err
		}
	}
	p.first = true
	if string(text) == "push-cert" {
		p.list.Shape.Certificate = true
		return nil
	}
	return p.command(string(text))
}

func (p *commandParser) shallow(oid string) error {
	switch {
	case p.first:
		return protocolErrorf("a shallow line follows a command")
	case len(oid) != len(repo.ZeroOID) || !repo.IsOID(oid):
		return protocolErrorf("shallow line with a bad object id %s", quote(oid))
	case len(p.list.Shallow) == ShallowMax:
		return protocolErrorf("more than %d shallow lines", ShallowMax)
	}
	p.list.Shallow = append(p.list.Shallow, repo.OID(oid))
	return nil
}

func (p *commandParser) command(text string) error {
	const width = len(repo.ZeroOID)
	if len(text) < 2*width+3 || text[width] != ' ' || text[2*width+1] != ' ' {
		return protocolErrorf("%s is not a command: expected old object id, new object id and ref", quote(text))
	}
	old, target, ref := text[:width], text[width+1:2*width+1], text[2*width+2:]
	switch {
	case !repo.IsOID(old):
		return protocolErrorf("bad object id %s: expected 40 lower-case hex digits", quote(old))
	case !repo.IsOID(target):
		return protocolErrorf("bad object id %s: expected 40 lower-case hex digits", quote(target))
	case !repo.IsRefName(ref):
		return protocolErrorf("bad ref name %s", quote(ref))
	case p.seen[ref]:
		return protocolErrorf("ref %s is named twice", quote(ref))
	case len(p.list.Commands) == CommandMax:
		return protocolErrorf("more than %d commands", CommandMax)
	}
	p.seen[ref] = true
	p.list.Commands = append(p.list.Commands, Command{Old: repo.OID(old), New: repo.OID(target), Ref: ref})
	return nil
}

func (p *commandParser) options() error {
	for {
		line, more, err := p.next("the push options")
		if err != nil || !more {
			return err
		}
		switch {
		case len(p.list.Shape.Options) == OptionMax:
			return protocolErrorf("more than %d push options", OptionMax)
		case len(line) > OptionBytesMax:
			return protocolErrorf("a push option is longer than %d bytes", OptionBytesMax)
		case bytes.ContainsAny(line, "\x00\n"):
			return protocolErrorf("a push option contains NUL or a line feed")
		}
		p.list.Shape.Options = append(p.list.Shape.Options, string(line))
	}
}

// WriteCommands encodes a command list. It is what a backend hands to git: never a client's own bytes. Options are
// written only if the capabilities name push-options.
func WriteCommands(w io.Writer, list CommandList) error {
	lines := NewWriter(w)
	for _, oid := range list.Shallow {
		lines.Text("shallow " + string(oid))
	}
	end := "\x00" + strings.Join(list.Capabilities, " ")
	for _, c := range list.Commands {
		lines.Text(string(c.Old) + " " + string(c.New) + " " + c.Ref + end)
		end = ""
	}
	lines.Flush()
	if len(list.Commands) > 0 && list.Capabilities.Has("push-options") {
		for _, option := range list.Shape.Options {
			lines.Text(option)
		}
		lines.Flush()
	}
	return lines.Err()
}
