package defect

import (
	"bytes"
	"io"
	"net/http"
	"regexp"
	"strings"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// Lines of advertisements and requests.
var (
	peeledLine = regexp.MustCompile(`[0-9a-f]{4}[0-9a-f]{40} [^\n\x00]+\^\{\}\n`)
	prefixLine = regexp.MustCompile(`[0-9a-f]{4}ref-prefix [^\n]+\n?`)
	symrefLine = regexp.MustCompile(`[0-9a-f]{4}symrefs\n?`)
	peelLine   = regexp.MustCompile(`[0-9a-f]{4}peel\n?`)
)

// roundsDefects are mistakes in what stock git asks for and a client that sends one request a fetch does not.
func roundsDefects() []Defect {
	advertises := func(name string, change func(service gitproto.Service, version int, text []byte) []byte) Defect {
		return Defect{Name: name, Backend: func(b gitstore.Backend) gitstore.Backend { return advertised{backend{b}, change} }}
	}
	lacks := func(name, word string) Defect {
		return advertises(name, func(service gitproto.Service, _ int, text []byte) []byte {
			if service != gitproto.ReceivePackService {
				return text
			}
			return bytes.ReplaceAll(text, []byte(word), bytes.Repeat([]byte("x"), len(word)))
		})
	}
	hears := func(name string, change func(version int, body []byte) []byte) Defect {
		return Defect{Name: name, Backend: func(b gitstore.Backend) gitstore.Backend { return hearing{backend{b}, change} }}
	}
	empty := func(service gitproto.Service, text []byte) (line []byte, ok bool) {
		if service != gitproto.ReceivePackService || !bytes.Contains(text, []byte(" capabilities^{}\x00")) {
			return nil, false
		}
		return text[:bytes.Index(text, []byte("0000"))+4], true // the service line
	}
	return []Defect{
		hears("rounds-unanswered", func(_ int, body []byte) []byte {
			if bytes.Contains(body, []byte("have ")) && !bytes.Contains(body, []byte("0009done\n")) && !bytes.Contains(body, []byte("0008done")) {
				return nil
			}
			return body
		}),
		hears("many-haves-unanswered", func(_ int, body []byte) []byte {
			if bytes.Count(body, []byte("have ")) > 32 {
				return nil
			}
			return body
		}),
		hears("first-prefix-only", func(version int, body []byte) []byte {
			if at := prefixLine.FindIndex(body); version == 2 && at != nil {
				return append(bytes.Clone(body[:at[1]]), prefixLine.ReplaceAll(body[at[1]:], nil)...)
			}
			return body
		}),
		hears("symrefs-unsaid", func(version int, body []byte) []byte {
			if version == 2 {
				return symrefLine.ReplaceAll(body, nil)
			}
			return body
		}),
		hears("tags-unpeeled-in-version-2", func(version int, body []byte) []byte {
			if version == 2 {
				return peelLine.ReplaceAll(body, nil)
			}
			return body
		}),
		advertises("tags-unpeeled", func(_ gitproto.Service, _ int, text []byte) []byte { return peeledLine.ReplaceAll(text, nil) }),
		lacks("reports-unannounced", "report-status"),
		lacks("deletions-unannounced", "delete-refs"),
		advertises("empty-push-advertisement-bare", func(service gitproto.Service, _ int, text []byte) []byte {
			if head, ok := empty(service, text); ok {
				return append(bytes.Clone(head), "0000"...)
			}
			return text
		}),
		advertises("empty-push-advertisement-without-capabilities", func(service gitproto.Service, _ int, text []byte) []byte {
			if head, ok := empty(service, text); ok {
				line := string(repo.ZeroOID) + " capabilities^{}\x00\n"
				return append(bytes.Clone(head), pktLine(line)+"0000"...)
			}
			return text
		}),
		advertises("empty-fetch-advertisement-without-capabilities", func(service gitproto.Service, version int, text []byte) []byte {
			line := string(repo.ZeroOID) + " capabilities^{}"
			head, _, found := bytes.Cut(text, []byte(line))
			if service != gitproto.UploadPackService || version == 2 || !found {
				return text
			}
			return append(bytes.Clone(head[:len(head)-4]), pktLine(line+"\x00\n")+"0000"...) // without the length of the line
		}),
		{Name: "probes-refused", Front: replies(func(r *http.Request, sent []byte, a *reply) {
			if pushed(r) && string(sent) == "0000" && a.status == http.StatusOK {
				a.becomes(http.StatusBadRequest, "no command")
			}
		})},
	}
}

// hearing changes fetch requests; one that becomes nothing is answered with nothing.
type hearing struct {
	backend
	change func(version int, body []byte) []byte
}

func (h hearing) UploadPack(c gitstore.Cancel, id repo.ID, version int, r io.Reader, w io.Writer) error {
	body, err := io.ReadAll(io.LimitReader(r, requestMax))
	if err != nil {
		return err
	}
	if body = h.change(version, body); body == nil {
		return nil
	}
	return h.Backend.UploadPack(c, id, version, bytes.NewReader(body), w)
}

// spellingDefects know one spelling of what clients may write in several.
func spellingDefects() []Defect {
	hears := func(name, header string, change func(string) string) Defect {
		return Defect{Name: name, Front: gate(func(_ http.ResponseWriter, r *http.Request) bool {
			if v := strings.Join(r.Header.Values(header), ", "); v != "" {
				r.Header.Set(header, change(v))
			}
			return false
		})}
	}
	only := func(wanted, other string) func(string) string {
		return func(v string) string {
			if strings.Contains(strings.ToLower(v), wanted) && !strings.EqualFold(v, wanted) {
				return other
			}
			return v
		}
	}
	answering := func(name string, status int, bad func(r *http.Request) bool) Defect {
		return Defect{Name: name, Front: gate(func(w http.ResponseWriter, r *http.Request) bool {
			if !strings.HasSuffix(r.URL.Path, "/info/refs") || !bad(r) {
				return false
			}
			http.Error(w, "unknown service", status)
			return true
		})}
	}
	return []Defect{
		hears("connection-of-one-token", "Connection", only("upgrade", "close")),
		hears("upgrade-in-one-case", "Upgrade", func(v string) string {
			if v != "websocket" {
				return ""
			}
			return v
		}),
		hears("accept-of-one-type", "Accept", func(v string) string {
			if v != "application/nostr+json" {
				return "text/html"
			}
			return v
		}),
		hears("git-protocol-of-one-key", "Git-Protocol", only("version=2", "")),
		{Name: "content-types-with-parameters-fail", Front: gate(func(w http.ResponseWriter, r *http.Request) bool {
			if !strings.Contains(r.Header.Get("Content-Type"), ";") {
				return false
			}
			http.Error(w, "no such type", http.StatusInternalServerError)
			return true
		})},
		answering("second-parameters-fail", http.StatusInternalServerError, func(r *http.Request) bool {
			return strings.Contains(r.URL.RawQuery, "&")
		}),
		answering("service-unescaped", http.StatusBadRequest, func(r *http.Request) bool { return strings.Contains(r.URL.RawQuery, "%") }),
	}
}
