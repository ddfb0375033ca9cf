package suite

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"sync"

	"github.com/nbd-wtf/go-nostr/nip19"

	"github.com/graspkit/graspkit/conformance/client"
)

// portOf is the port that a URL names, or the one of its scheme.
func portOf(u *url.URL) string {
	if port := u.Port(); port != "" {
		return port
	}
	if u.Scheme == "wss" || u.Scheme == "https" {
		return "443"
	}
	return "80"
}

// otherPort is a port that no service under test listens on.
const otherPort = "9"

// A filler replaces the words in braces of a table's value, for an event by its key. Most values have none, and to know what
// each word means takes a key of every actor: that is found out for the first value that has one.
type filler struct {
	world *world
	key   client.Key
	words *strings.Replacer
}

func (w *world) filler(key client.Key) *filler { return &filler{world: w, key: key} }

// Replace returns the value with its words replaced.
func (f *filler) Replace(value string) string {
	if !strings.Contains(value, "{") {
		return value
	}
	if f.words == nil {
		f.words = f.world.wordsFor(f.key)
	}
	return f.words.Replace(value)
}

// wordsFor are the words in braces, for an event by the key given.
func (w *world) wordsFor(key client.Key) *strings.Replacer {
	u, err := url.Parse(w.client.RelayURL())
	if err != nil {
		panic("suite: invariant: relay URL: " + err.Error())
	}
	scheme := "http" + strings.TrimPrefix(u.Scheme, "ws")
	pairs := []string{
		"{scheme}", scheme,
		"{ws}", u.Scheme,
		"{host}", u.Host + u.EscapedPath(),
		"{hostname}", u.Hostname(),
		"{other port}", otherPort,
		"{longer port}", portOf(u) + "9",
		"{shorter port}", portOf(u)[:len(portOf(u))-1],
		"{npub}", key.Npub,
		"{identifier}", w.identifier,
		"{backslash}", `\`,
		"{nul}", "\x00",
		"{lf}", "\n",
		"{tab}", "\t",
		"{blank}", " ",
		"{quote}", `"`,
		"{control}", "\x01",
		"{nbsp}", "\u00a0", "{ideographic space}", "\u3000", "{line separator}", "\u2028", "{next line}", "\u0085",
		"{zero width space}", "\u200b", "{bom}", "\ufeff", "{soft hyphen}", "\u00ad", "{joiner}", "\u200d",
		"{no letter}", "\xff", "{no letter as text}", "\ufffd", "{cyrillic e}", "\u0435", "{wide dev}", "\uff44\uff45\uff56",
		"{n with tilde}", "\u00f1", "{n with tilde as bytes}", "\u00c3\u00b1", "{t with caron}", "\u0165",
		"{e with acute}", "\u00e9", "{e and acute}", "e\u0301",
		"{long}", strings.Repeat("x", 4096),
		"{other scheme}", map[string]string{"http": "https", "https": "http"}[scheme],
		"{other ws}", map[string]string{"ws": "wss", "wss": "ws"}[u.Scheme],
		"{200 keys}", manyKeys(),
		"{unknown}", unknownID,
	}
	if ev := w.sent.byLabel["note"]; ev != nil {
		pairs = append(pairs, "{named}", ev.ID)
	}
	for _, a := range actors() {
		k := w.key(a)
		pairs = append(pairs,
			"{"+a+"}", k.Pubkey,
			"{"+a+" npub}", k.Npub,
			"{"+strings.ToUpper(a)+"}", strings.ToUpper(k.Pubkey))
	}
	return strings.NewReplacer(slices.Concat(pairs, w.hostWords(), w.relayWords())...)
}

// unknownID has the form of an id, and no event has it.
var unknownID = strings.Repeat("0123", 16)

// manyKeys are two hundred public keys of nobody, as a list.
var manyKeys = sync.OnceValue(func() string {
	var keys []string
	for i := range 200 {
		digest := sha256.Sum256([]byte(fmt.Sprint("nobody ", i)))
		keys = append(keys, hex.EncodeToString(digest[:]))
	}
	return strings.Join(keys, ", ")
})

// pathFiller replaces the words in braces of a malformed path, for the lighthouse.
func (w *world) pathFiller() *strings.Replacer {
	l := w.run.lighthouse
	last := l.key.Npub[len(l.key.Npub)-1]
	flipped := byte('q')
	if last == flipped {
		flipped = 'p'
	}
	note, err := nip19.EncodeNote(l.key.Pubkey)
	if err != nil {
		panic("suite: invariant: note: " + err.Error())
	}
	return strings.NewReplacer(
		"{npub}", l.key.Npub,
		"{bad npub}", l.key.Npub[:len(l.key.Npub)-1]+string(flipped),
		"{other npub}", w.key("stranger").Npub,
		"{nsec}", note,
		"{pubkey}", l.key.Pubkey,
		"{d}", l.identifier,
		"{tip}", l.commits[2][:2]+"/"+l.commits[2][2:],
	)
}
