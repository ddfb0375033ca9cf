package gitproto

import (
	"errors"
	"io"
	"strings"
)

// RequestMax is the longest upload-pack request, in bytes. It bounds wants, haves and every other list in it.
const RequestMax = 16 << 20

// A RequestV2 is one request of protocol version 2, cut into its lines.
type RequestV2 struct {
	Command      string // "ls-refs", "fetch"; "" for an empty request, which wants no answer
	Capabilities Capabilities
	Args         []string
}

// ReadRequestV2 reads one request. A malformed one is a *ProtocolError.
func ReadRequestV2(r io.Reader) (RequestV2, error) {
	lines := NewReader(r, RequestMax)
	var request RequestV2
	for inArgs := false; ; {
		packet, err := lines.Next()
		switch {
		case errors.Is(err, io.EOF) && request.Command == "" && len(request.Capabilities) == 0:
			return RequestV2{}, nil
		case errors.Is(err, io.EOF):
			return RequestV2{}, protocolErrorf("the request ends without a flush packet")
		case err != nil:
			return RequestV2{}, err
		case packet.Kind == FlushPacket:
			return request, request.Capabilities.check()
		case packet.Kind == DelimPacket && !inArgs:
			inArgs = true
			continue
		case packet.Kind != DataPacket:
			return RequestV2{}, protocolErrorf("the request has a packet that does not belong there")
		}
		line := string(packet.Text())
		if inArgs {
			request.Args = append(request.Args, line)
		} else if command, ok := strings.CutPrefix(line, "command="); !ok {
			request.Capabilities = append(request.Capabilities, line)
		} else if request.Command != "" {
			return RequestV2{}, protocolErrorf("the request names two commands")
		} else {
			request.Command = command
		}
	}
}

// An LsRefs is the ls-refs command of protocol version 2.
type LsRefs struct {
	Peel, Symrefs, Unborn bool
	Prefixes              []string
}

// prefixMax is how many ref-prefix lines count; with more of them all refs are listed, as git does it.
const prefixMax = 65536

// ParseLsRefs reads the arguments of ls-refs. Unknown ones are passed over, as git does it.
func ParseLsRefs(args []string) LsRefs {
	var l LsRefs
	for _, arg := range args {
		switch {
		case arg == "peel":
			l.Peel = true
		case arg == "symrefs":
			l.Symrefs = true
		case arg == "unborn":
			l.Unborn = true
		case strings.HasPrefix(arg, "ref-prefix "):
			l.Prefixes = append(l.Prefixes, strings.TrimPrefix(arg, "ref-prefix "))
		}
	}
	if len(l.Prefixes) > prefixMax {
		l.Prefixes = nil
	}
	return l
}

// Matches reports whether a ref is to be listed.
func (l LsRefs) Matches(name string) bool {
	for _, prefix := range l.Prefixes {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return len(l.Prefixes) == 0
}

// Write answers ls-refs from what an advertisement holds.
func (l LsRefs) Write(w io.Writer, a Advertisement) error {
	lines := NewWriter(w)
	if l.Matches("HEAD") {
		target := ""
		if l.Symrefs && a.HeadTarget != "" {
			target = " symref-target:" + a.HeadTarget
		}
		if a.Head != "" {
			lines.Line(string(a.Head) + " HEAD" + target)
		} else if l.Unborn && target != "" {
			lines.Line("unborn HEAD" + target)
		}
	}
	for _, r := range a.Refs {
		if !l.Matches(r.Name) {
			continue
		}
		line := string(r.OID) + " " + r.Name
		if l.Peel && r.Peeled != "" {
			line += " peeled:" + string(r.Peeled)
		}
		lines.Line(line)
	}
	lines.Flush()
	return lines.Err()
}
