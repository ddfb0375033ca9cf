package suite

import (
	"net/url"
	"strings"

	"github.com/nbd-wtf/go-nostr/nip19"

	"github.com/graspkit/graspkit/conformance/client"
)

// otherPort is a port that no service under test listens on.
const otherPort = "9"

// filler replaces the words in braces of a table's value, for an event by the key given.
func (w *world) filler(key client.Key) *strings.Replacer {
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
		"{npub}", key.Npub,
		"{identifier}", w.identifier,
		"{backslash}", `\`,
		"{nul}", "\x00",
	}
	for _, a := range actors() {
		k := w.key(a)
		pairs = append(pairs,
			"{"+a+"}", k.Pubkey,
			"{"+a+" npub}", k.Npub,
			"{"+strings.ToUpper(a)+"}", strings.ToUpper(k.Pubkey))
	}
	return strings.NewReplacer(pairs...)
}

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
	)
}
