package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
)

// The two services of git over HTTP.
const (
	UploadPack  = "git-upload-pack"
	ReceivePack = "git-receive-pack"
)

// refsMax bounds the refs of one advertisement.
const refsMax = 200_000

// An Advert is a reference advertisement, of whatever protocol version the server chose. For version 2
// the refs were asked for in a second exchange.
type Advert struct {
	Service string
	Version int
	Refs    []Ref             // in the server's order; a peeled entry is folded into its tag
	Symrefs map[string]string // "HEAD" to "refs/heads/main"
	Caps    []string          // as sent, "name" or "name=value"
	Shallow []string
	Have    []string   // what is at hand besides, for pushes alone: ids, and no refs
	HTTP    HTTPAnswer // the exchange of info/refs
}

// A Ref is one advertised reference.
type Ref struct {
	Name   string
	OID    string
	Peeled string // what an annotated tag points to in the end, if advertised
}

func (o Advert) String() string {
	s := fmt.Sprintf("%s advertisement v%d, %d refs", o.Service, o.Version, len(o.Refs))
	for i, ref := range o.Refs {
		if i == refsShownMax {
			return s + ", ..."
		}
		s += ", " + clip(ref.Name) + "=" + short(ref.OID)
	}
	return s
}

// Ref returns the object that a reference points to.
func (o Advert) Ref(name string) (oid string, ok bool) {
	for _, ref := range o.Refs {
		if ref.Name == name {
			return ref.OID, true
		}
	}
	return "", false
}

// HeadIs reports whether HEAD names a branch. A server need not say which in the versions before 2: then it is one whose commit HEAD
// is at, as clients take it.
func (o Advert) HeadIs(branch string) bool {
	at, told := o.Symrefs["HEAD"]
	if told || o.Version == 2 {
		return at == branch
	}
	head, there := o.Ref("HEAD")
	tip, is := o.Ref(branch)
	return there && is && head == tip
}

// Cap returns the value of a capability, "" if it has none.
func (o Advert) Cap(name string) (value string, ok bool) {
	for _, c := range o.Caps {
		word, value, _ := strings.Cut(c, "=")
		if word == name {
			return value, true
		}
	}
	return "", false
}

// Fingerprint is a text that is equal for two advertisements exactly if they tell the same refs and
// symbolic refs, whatever their order, version and capabilities.
func (o Advert) Fingerprint() string {
	lines := make([]string, 0, len(o.Refs)+len(o.Symrefs))
	for _, ref := range o.Refs {
		lines = append(lines, ref.OID+" "+ref.Name)
	}
	for _, name := range slices.Sorted(maps.Keys(o.Symrefs)) {
		lines = append(lines, "symref "+name+" "+o.Symrefs[name])
	}
	slices.Sort(lines)
	return strings.Join(lines, "\n")
}

// Advertise asks for the reference advertisement of a repository. service is UploadPack or
// ReceivePack; version is the highest protocol version offered: 0 sends no Git-Protocol header. It
// returns Advert; HTTPAnswer if the status is not 200; ErrPkt; BadAnswer, also for a content type that
// git takes for a dumb server; Silence or TransportError.
func (c *Client) Advertise(ctx context.Context, repoPath, service string, version int) Observation {
	return c.advertise(ctx, repoPath, service, protocolHeader(version), "/info/refs?service="+service, nil)
}

// advertise is Advertise with a header and a path of its own, and the prefixes of a listing in version 2.
func (c *Client) advertise(ctx context.Context, repoPath, service string, header http.Header, at string, prefixes []string) Observation {
	o := c.Get(ctx, repoPath+at, header)
	answer, ok := o.(HTTPAnswer)
	if !ok || answer.Status != http.StatusOK {
		return o
	}
	want := "application/x-" + service + "-advertisement"
	if got := answer.Header.Get("Content-Type"); got != want {
		return BadAnswer{Phase: "advertisement", Text: fmt.Sprintf("content type is %q, want %q", got, want), HTTP: answer}
	}
	advert, err := readAdvert(answer.Body, service)
	if err != nil {
		return pktObservation("advertisement", answer, err)
	}
	advert.HTTP = answer
	c.offers.saw(advert)
	if advert.Version == 2 && service == UploadPack {
		return c.listRefs(ctx, repoPath, advert, prefixes)
	}
	return advert
}

func protocolHeader(version int) http.Header {
	header := make(http.Header)
	if version > 0 {
		header.Set("Git-Protocol", fmt.Sprintf("version=%d", version))
	}
	return header
}

// readAdvert decodes the body of info/refs.
func readAdvert(body []byte, service string) (Advert, error) {
	a := Advert{Service: service, Symrefs: make(map[string]string)}
	p := &pktReader{rest: body}
	kind, line, err := p.line()
	if err == nil && kind == pktData && line == "# service="+service {
		if kind, _, err = p.next(); err == nil && kind != pktFlush {
			return a, errors.New("no flush after the service line")
		}
		if err == nil {
			kind, line, err = p.line()
		}
	}
	for ; ; kind, line, err = p.line() {
		if errors.Is(err, io.EOF) {
			return a, errors.New("no flush at the end")
		}
		if err != nil {
			return a, err
		}
		if kind == pktFlush {
			return a, nil
		}
		if kind != pktData {
			return a, errors.New("a special pkt-line other than flush")
		}
		if err := a.add(line); err != nil {
			return a, err
		}
	}
}

// add takes one line of an advertisement.
func (o *Advert) add(line string) error {
	switch {
	case len(o.Refs)+len(o.Caps)+len(o.Shallow)+len(o.Have) >= refsMax:
		return fmt.Errorf("more than %d lines", refsMax)
	case o.Version == 2:
		o.Caps = append(o.Caps, line)
		return nil
	case line == "version 1" || line == "version 2":
		if o.Version != 0 || len(o.Refs) > 0 || o.Caps != nil {
			return errors.New("version line not at the start")
		}
		o.Version = int(line[len(line)-1] - '0')
		return nil
	case strings.HasPrefix(line, "shallow "):
		o.Shallow = append(o.Shallow, line[len("shallow "):])
		return nil
	}
	ref, caps, hasCaps := strings.Cut(line, "\x00")
	if hasCaps {
		if o.Caps != nil {
			return errors.New("capabilities twice")
		}
		o.Caps = append([]string{}, strings.Fields(caps)...)
		for _, c := range o.Caps {
			if name, to, ok := strings.Cut(strings.TrimPrefix(c, "symref="), ":"); ok && strings.HasPrefix(c, "symref=") {
				o.Symrefs[name] = to
			}
		}
	} else if o.Caps == nil {
		return fmt.Errorf("first ref line has no capabilities: %q", clip(line))
	}
	return o.addRef(ref)
}

func (o *Advert) addRef(line string) error {
	oid, name, ok := strings.Cut(line, " ")
	if !ok || !validOID(oid) || name == "" {
		return fmt.Errorf("malformed ref line %q", clip(line))
	}
	if name == "capabilities^{}" && oid == ZeroOID {
		return nil
	}
	if name == atHand && o.Service == ReceivePack {
		o.Have = append(o.Have, oid)
		return nil
	}
	if tag, peeled := strings.CutSuffix(name, "^{}"); peeled {
		if n := len(o.Refs); n == 0 || o.Refs[n-1].Name != tag {
			return fmt.Errorf("peeled entry %q does not follow its tag", clip(name))
		}
		o.Refs[len(o.Refs)-1].Peeled = oid
		return nil
	}
	o.Refs = append(o.Refs, Ref{Name: name, OID: oid})
	return nil
}

// atHand stands in place of a name where git tells who pushes what it has of other repositories, as by alternates, or below hidden refs.
const atHand = ".have"

// ZeroOID stands for "no object" in push commands.
const ZeroOID = "0000000000000000000000000000000000000000"

func validOID(s string) bool {
	if len(s) != len(ZeroOID) {
		return false
	}
	for i := range len(s) {
		if (s[i] < '0' || s[i] > '9') && (s[i] < 'a' || s[i] > 'f') {
			return false
		}
	}
	return true
}
