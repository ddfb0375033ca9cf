package fetch

import (
	"errors"
	"io"
	"strings"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/repo"
)

// Where an advertisement of upload-pack is.
const (
	advertisementPath  = "/info/refs"
	advertisementQuery = "service=git-upload-pack"
)

// unbounded is the limit of pkt-line readers over an answer, which has a limit of its own.
const unbounded = 1 << 62

// An advertisement is what a host says of a repository.
type advertisement struct {
	version      int // 0, 1 or 2
	capabilities gitproto.Capabilities

	// Of the refs, which version 2 does not show here, no more is kept than tips needs, however many a host has.
	refs     []gitproto.AdvertisedRef
	wanted   map[repo.OID]bool // true once a ref is kept for it
	branches int               // that are kept
	last     string            // the name of the last ref
	tag      repo.OID          // and its object
}

// capabilitiesMax bounds the lines of capabilities in version 2. Git sends a handful.
const capabilitiesMax = 1000

// readAdvertisement reads what a host answers to info/refs who is asked for some objects.
func readAdvertisement(r io.Reader, wants []repo.OID) (advertisement, error) {
	a := advertisement{wanted: map[repo.OID]bool{}}
	for _, want := range wants {
		a.wanted[want] = false
	}
	lines := gitproto.NewReader(r, unbounded)
	packet, err := lines.Next()
	if err == nil && packet.Kind == gitproto.DataPacket && strings.HasPrefix(string(packet.Text()), "# service=") {
		if packet, err = lines.Next(); err == nil && packet.Kind == gitproto.FlushPacket {
			packet, err = lines.Next()
		}
	}
	for first := true; ; packet, err = lines.Next() {
		switch {
		case err != nil:
			return a, lineError(err)
		case packet.Kind == gitproto.FlushPacket:
			return a, a.check()
		case packet.Kind != gitproto.DataPacket:
			return a, failed(BadData, "a packet in the advertisement does not belong there")
		}
		text := string(packet.Text())
		if message, is := strings.CutPrefix(text, "ERR "); is {
			return a, failed(NotFound, "the host says %.200q", message)
		}
		version, is := strings.CutPrefix(text, "version ")
		switch {
		case first && is && (version == "1" || version == "2"):
			a.version = int(version[0] - '0')
			continue
		case a.version == 2 && len(a.capabilities) >= capabilitiesMax:
			return a, failed(BadData, "more than %d capabilities", capabilitiesMax)
		case a.version == 2:
			a.capabilities = append(a.capabilities, text)
		default:
			if err := a.ref(text); err != nil {
				return a, err
			}
		}
		first = false
	}
}

// ref takes one line of version 0 or 1.
func (a *advertisement) ref(line string) error {
	line, list, has := strings.Cut(line, "\x00")
	if has && a.capabilities == nil {
		a.capabilities = gitproto.ParseCapabilities(list)
	}
	oid, name, ok := strings.Cut(line, " ")
	switch {
	case ok && oid == "shallow":
		return nil
	case !ok || !repo.IsOID(oid):
		return failed(BadData, "%.100q in the advertisement is no ref", line)
	case name == "capabilities^{}":
		return nil
	}
	if tag, peeled := strings.CutSuffix(name, "^{}"); peeled {
		if kept, wants := a.wanted[repo.OID(oid)]; wants && !kept && a.last == tag {
			a.wanted[repo.OID(oid)] = true
			a.refs = append(a.refs, gitproto.AdvertisedRef{Ref: repo.Ref{Name: tag, OID: a.tag}, Peeled: repo.OID(oid)})
		}
		return nil
	}
	a.last, a.tag = name, repo.OID(oid)
	kept, wants := a.wanted[a.tag]
	branch := a.branches < tipsMax && strings.HasPrefix(name, "refs/heads/")
	if branch {
		a.branches++
	}
	if wants && !kept {
		a.wanted[a.tag] = true
	}
	if wants && !kept || branch {
		a.refs = append(a.refs, gitproto.AdvertisedRef{Ref: repo.Ref{Name: name, OID: a.tag}})
	}
	return nil
}

func (a *advertisement) check() error {
	if format, ok := a.capabilities.Value("object-format"); ok && format != "sha1" {
		return failed(NotFound, "the repository has the object format %.20q", format)
	}
	if a.version == 2 && !a.capabilities.Has("fetch") {
		return failed(BadData, "the host offers no fetch")
	}
	return nil
}

// bySHA reports whether wants need not be advertised. What may be wanted besides tips of refs that are shown is enough:
// a host that allows only tips refuses all wants when it refuses one.
func (a *advertisement) bySHA() bool {
	return a.version == 2 || a.capabilities.Has("allow-reachable-sha1-in-want") ||
		a.capabilities.Has("allow-any-sha1-in-want")
}

// tipsMax is how many branches are asked for in place of wants that cannot be asked for themselves.
const tipsMax = 200

// tips returns what to ask for at a host that gives tips of refs only: the wants that are tips, or tags of them; if
// there are others, all branches too, for these may have moved on from what is wanted.
func (a *advertisement) tips(wants []repo.OID) []repo.OID {
	var ask []repo.OID
	asked := map[repo.OID]bool{}
	add := func(oid repo.OID) {
		if !asked[oid] {
			asked[oid] = true
			ask = append(ask, oid)
		}
	}
	found := map[repo.OID]bool{}
	for _, ref := range a.refs {
		found[ref.OID], found[ref.Peeled] = true, true
	}
	hidden := false
	for _, want := range wants {
		hidden = hidden || !found[want]
	}
	wanted := map[repo.OID]bool{}
	for _, want := range wants {
		wanted[want] = true
	}
	branches := 0
	for _, ref := range a.refs {
		branch := hidden && branches < tipsMax && strings.HasPrefix(ref.Name, "refs/heads/")
		if branch {
			branches++
		}
		if branch || wanted[ref.OID] || ref.Peeled != "" && wanted[ref.Peeled] {
			add(ref.OID)
		}
	}
	return ask
}

// lineError says what it means that a line could not be read.
func lineError(err error) error {
	var protocol *gitproto.ProtocolError
	switch {
	case errors.Is(err, io.EOF):
		return failed(BadData, "the answer ends too early")
	case errors.As(err, &protocol):
		return failed(BadData, "%w", err)
	}
	return err
}
