package defect

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strconv"
	"strings"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// Lines of fetch requests.
var (
	unbornLine  = regexp.MustCompile(`[0-9a-f]{4}unborn\n?`)
	includeLine = regexp.MustCompile(`[0-9a-f]{4}include-tag\n?`)
	prefixValue = regexp.MustCompile(`[0-9a-f]{4}ref-prefix ([^\n]+)\n?`)
	depthValue  = regexp.MustCompile(`[0-9a-f]{4}deepen ([0-9]+)\n?`)
)

// spokenDefects are mistakes in what is said over HTTP and to git, where it is said less often.
func spokenDefects() []Defect {
	hears := func(name string, change func(version int, body []byte) []byte) Defect {
		return Defect{Name: name, Backend: func(b gitstore.Backend) gitstore.Backend { return hearing{backend{b}, change} }}
	}
	advertises := func(name string, change func(service gitproto.Service, version int, text []byte) []byte) Defect {
		return Defect{Name: name, Backend: func(b gitstore.Backend) gitstore.Backend { return advertised{backend{b}, change} }}
	}
	refuses := func(name string, status int, bad func(r *http.Request) bool) Defect {
		return Defect{Name: name, Front: gate(func(w http.ResponseWriter, r *http.Request) bool {
			if !bad(r) {
				return false
			}
			w.Header().Set("Access-Control-Allow-Origin", "*")
			w.Header().Set("Access-Control-Allow-Methods", "GET, POST")
			w.Header().Set("Access-Control-Allow-Headers", "Content-Type")
			http.Error(w, "not taken", status)
			return true
		})}
	}
	onReports := func(name string, change func(sent []byte, a *reply)) Defect {
		return Defect{Name: name, Front: replies(func(r *http.Request, sent []byte, a *reply) {
			if pushed(r) && a.took() {
				change(sent, a)
			}
		})}
	}
	moves := func(name string, to func(path string) string) Defect {
		return Defect{Name: name, Front: gate(func(_ http.ResponseWriter, r *http.Request) bool {
			if p := to(r.URL.EscapedPath()); p != r.URL.EscapedPath() {
				r.URL.Path, r.URL.RawPath = p, ""
				r.RequestURI = r.URL.RequestURI()
			}
			return false
		})}
	}
	return []Defect{
		refuses("expectations-refused", http.StatusExpectationFailed, func(r *http.Request) bool { return r.Header.Get("Expect") != "" }),
		refuses("compressed-pushes-refused", http.StatusUnsupportedMediaType, func(r *http.Request) bool {
			return pushed(r) && r.Header.Get("Content-Encoding") != ""
		}),
		{Name: "types-of-advertisements-with-charset", Sent: sent(func(_ *http.Request, a *Answer) {
			if v := a.Header.Get("Content-Type"); strings.HasSuffix(v, "-advertisement") {
				a.Header.Set("Content-Type", v+"; charset=utf-8")
			}
		})},
		moves("suffix-optional", func(p string) string {
			parts := strings.SplitN(p, "/", 4)
			if len(parts) == 4 && strings.HasPrefix(parts[1], "npub1") && !strings.HasSuffix(parts[2], ".git") && parts[2] != "" {
				return "/" + parts[1] + "/" + parts[2] + ".git/" + parts[3]
			}
			return p
		}),
		moves("keys-in-hex-taken", func(p string) string {
			parts := strings.SplitN(p, "/", 3)
			if len(parts) == 3 && len(parts[1]) == 64 {
				return "/" + npub(parts[1]) + "/" + parts[2]
			}
			return p
		}),
		moves("checksums-of-keys-unread", func(p string) string {
			parts := strings.SplitN(p, "/", 3)
			if len(parts) == 3 && strings.HasPrefix(parts[1], "npub1") && len(parts[1]) == 63 {
				if key, ok := unsummed(parts[1]); ok {
					return "/" + npub(key) + "/" + parts[2]
				}
			}
			return p
		}),
		{Name: "prefixes-of-whole-parts", Backend: func(b gitstore.Backend) gitstore.Backend { return partial{backend{b}} }},
		hears("unborn-heads-unsaid", func(version int, body []byte) []byte {
			if version == 2 {
				return unbornLine.ReplaceAll(body, nil)
			}
			return body
		}),
		hears("tags-of-what-is-fetched-left", func(_ int, body []byte) []byte {
			return bytes.ReplaceAll(includeLine.ReplaceAll(body, nil), []byte(" include-tag"), []byte(" xnclude-tag"))
		}),
		hears("short-side-bands-overrun", func(_ int, body []byte) []byte {
			if bytes.Contains(body, []byte("side-band-64k")) || !bytes.Contains(body, []byte(" side-band")) {
				return body
			}
			return relined(bytes.Replace(body, []byte(" side-band"), []byte(" side-band-64k"), 1))
		}),
		hears("side-bands-unasked", func(version int, body []byte) []byte {
			if version == 2 || bytes.Contains(body, []byte("side-band")) {
				return body
			}
			at := bytes.IndexByte(body, '\n')
			if at < 0 || !bytes.Contains(body[:at], []byte("want ")) {
				return body
			}
			line := string(body[4:at])
			if len(line) == len("want ")+40 {
				line += " "
			}
			return append([]byte(pktLine(line+" side-band-64k\n")), body[at+1:]...)
		}),
		hears("depths-beyond-one-short-by-one", func(_ int, body []byte) []byte {
			return depthValue.ReplaceAllFunc(body, func(line []byte) []byte {
				n, _ := strconv.Atoi(string(depthValue.FindSubmatch(line)[1]))
				if n < 2 || n > 1000 {
					return line
				}
				return []byte(pktLine(fmt.Sprintf("deepen %d\n", n-1)))
			})
		}),
		hears("unshallowing-fails", func(_ int, body []byte) []byte {
			if bytes.Contains(body, []byte("deepen 2147483647")) {
				return nil
			}
			return body
		}),
		hears("filters-beside-depths-unread", func(_ int, body []byte) []byte {
			if deepenLine.Match(body) {
				return filterLine.ReplaceAll(body, nil)
			}
			return body
		}),
		hears("filters-unread-in-version-2", func(version int, body []byte) []byte {
			if version == 2 {
				return filterLine.ReplaceAll(body, nil)
			}
			return body
		}),
		hears("filters-of-trees-unread", func(_ int, body []byte) []byte {
			return bytes.ReplaceAll(body, []byte("0012filter tree:0\n"), nil)
		}),
		hears("depths-in-version-2-unread", func(version int, body []byte) []byte {
			if version == 2 {
				return deepenLine.ReplaceAll(body, nil)
			}
			return body
		}),
		advertises("head-unlisted", func(service gitproto.Service, version int, text []byte) []byte {
			if service != gitproto.UploadPackService || version == 2 {
				return text
			}
			return headless0(text)
		}),
		advertises("plain-tags-peeled", func(service gitproto.Service, version int, text []byte) []byte {
			if service != gitproto.UploadPackService || version == 2 {
				return text
			}
			return plainPeeled(text)
		}),
		advertises("outer-tags-peeled-once", func(_ gitproto.Service, _ int, text []byte) []byte { return peeledOnce(text) }),
		onReports("reports-without-unpacking", func(_ []byte, a *reply) {
			rebanded(a, func(report string) string { return strings.Replace(report, pktLine("unpack ok\n"), "", 1) })
		}),
		onReports("reports-banded-unasked", func(sent []byte, a *reply) {
			if !bytes.Contains(sent, []byte("side-band")) {
				report := a.body.String()
				a.becomes(a.status, pktLine("\x01"+report)+"0000")
			}
		}),
		{Name: "pushes-without-reports-refused", Front: gate(func(w http.ResponseWriter, r *http.Request) bool {
			if !pushed(r) {
				return false
			}
			body := bodyOf(r)
			if len(body) > 8 && !bytes.Contains(body, []byte("report-status")) {
				w.Header().Set("Content-Type", "application/x-git-receive-pack-result")
				_, _ = w.Write([]byte(pktLine("ERR report-status is wanted\n")))
				return true
			}
			return false
		})},
	}
}

var (
	headLine0 = regexp.MustCompile(`[0-9a-f]{4}([0-9a-f]{40}) HEAD\x00([^\n]*)\n`)
	refLine   = regexp.MustCompile(`[0-9a-f]{4}([0-9a-f]{40}) (refs/[^\n\x00]+)\n`)
)

// headless0 leaves HEAD out of an advertisement, and its capabilities with the next ref.
func headless0(text []byte) []byte {
	at := headLine0.FindSubmatchIndex(text)
	if at == nil {
		return text
	}
	caps := string(text[at[4]:at[5]])
	next := refLine.FindSubmatchIndex(text[at[1]:])
	if next == nil {
		return text
	}
	rest := text[at[1]:]
	line := pktLine(string(rest[next[2]:next[3]]) + " " + string(rest[next[4]:next[5]]) + "\x00" + caps + "\n")
	return append(append(bytes.Clone(text[:at[0]]), line...), rest[next[1]:]...)
}

// plainPeeled peels tags that are none to peel.
func plainPeeled(text []byte) []byte {
	return refLine.ReplaceAllFunc(text, func(line []byte) []byte {
		m := refLine.FindSubmatch(line)
		name := string(m[2])
		if !strings.HasPrefix(name, "refs/tags/") || strings.HasSuffix(name, "^{}") || bytes.Contains(text, []byte(name+"^{}")) {
			return line
		}
		return append(bytes.Clone(line), pktLine(string(m[1])+" "+name+"^{}\n")...)
	})
}

// peeledOnce peels a tag of a tag, where that one is listed, to it.
func peeledOnce(text []byte) []byte {
	tags, peeled := map[string]string{}, map[string]string{}
	for _, m := range refLine.FindAllSubmatch(text, -1) {
		if name, is := strings.CutSuffix(string(m[2]), "^{}"); is {
			peeled[name] = string(m[1])
		} else {
			tags[name] = string(m[1])
		}
	}
	return refLine.ReplaceAllFunc(text, func(line []byte) []byte {
		m := refLine.FindSubmatch(line)
		name, is := strings.CutSuffix(string(m[2]), "^{}")
		if !is {
			return line
		}
		for other, oid := range peeled {
			if other < name && oid == string(m[1]) {
				return []byte(pktLine(tags[other] + " " + name + "^{}\n"))
			}
		}
		return line
	})
}

// relined writes the length of the first line anew.
func relined(body []byte) []byte {
	at := bytes.IndexByte(body, '\n')
	return append([]byte(pktLine(string(body[4:at+1]))), body[at+1:]...)
}

// rebanded changes the report of a push, in its side-band if it has one.
func rebanded(a *reply, change func(report string) string) {
	body := a.body.String()
	if report, ok := unbanded(a.body.Bytes()); ok {
		a.becomes(a.status, pktLine("\x01"+change(report))+"0000")
		return
	}
	a.becomes(a.status, change(body))
}

// unsummed reads a public key in bech32 without its checksum.
func unsummed(text string) (key string, ok bool) {
	const letters = "qpzry9x8gf2tvdw0s3jn54khce6mua7l"
	bits, n := 0, 0
	var b strings.Builder
	for _, c := range text[len("npub1") : len(text)-6] {
		v := strings.IndexRune(letters, c)
		if v < 0 {
			return "", false
		}
		bits, n = bits<<5|v, n+5
		if n >= 8 {
			n -= 8
			fmt.Fprintf(&b, "%02x", bits>>n&0xff)
		}
	}
	key = b.String()
	return key, len(key) == 64
}

// A partial backend lists what begins with whole parts of a prefix.
type partial struct{ backend }

// UploadPack implements gitstore.Backend.
func (p partial) UploadPack(c gitstore.Cancel, id repo.ID, version int, r io.Reader, w io.Writer) error {
	refs, err := p.Refs(id)
	if err != nil {
		return err
	}
	return hearing{p.backend, func(version int, body []byte) []byte {
		if version != 2 {
			return body
		}
		return prefixValue.ReplaceAllFunc(body, func(line []byte) []byte {
			v := string(prefixValue.FindSubmatch(line)[1])
			if strings.HasSuffix(v, "/") || v == "HEAD" || !refs.At(v).IsZero() && refs.At(v) != "" {
				return line
			}
			return []byte(pktLine("ref-prefix " + v + "/\n"))
		})
	}}.UploadPack(c, id, version, r, w)
}
