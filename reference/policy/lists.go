package policy

import (
	"fmt"
	"net/url"
	"strings"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/repo"
)

// Lists are whom and what an operator keeps out. They judge what arrives: what is held or stored already stays. Nil
// keeps nobody out.
type Lists struct {
	Authors List // keys of which no event is taken, whatever speaks for it (INV-28)
	Blocked List // repositories that are not announced here, vouched for or not (INV-28)
	Allowed List // repositories that may be announced as hosted here; empty means all (G01-ANN-13)
}

// A List is a set of repositories: all of a key, one of a key, or all of an identifier.
type List struct {
	owners      map[repo.PubKey]bool
	ids         map[repo.ID]bool
	identifiers map[string]bool
}

// Add adds what an entry names: an npub, npub/identifier or an identifier, which is percent-encoded as in a clone URL
// without its .git.
func (l *List) Add(entry string) error {
	npub, rest, both := strings.Cut(entry, "/")
	switch {
	case both || strings.HasPrefix(entry, "npub1"):
		owner, err := repo.ParseNpub(npub)
		if err != nil {
			return fmt.Errorf("%q: %w: want an npub, npub/identifier or an identifier", entry, err)
		}
		if !both {
			l.owners = with(l.owners, owner)
			return nil
		}
		identifier, err := listedIdentifier(rest)
		if err != nil {
			return fmt.Errorf("%q: %w", entry, err)
		}
		l.ids = with(l.ids, repo.ID{Owner: owner, Identifier: identifier})
	default:
		identifier, err := listedIdentifier(entry)
		if err != nil {
			return fmt.Errorf("%q: %w", entry, err)
		}
		l.identifiers = with(l.identifiers, identifier)
	}
	return nil
}

func with[K comparable](set map[K]bool, key K) map[K]bool {
	if set == nil {
		set = map[K]bool{}
	}
	set[key] = true
	return set
}

func listedIdentifier(text string) (string, error) {
	identifier, err := url.PathUnescape(text)
	if err != nil {
		return "", fmt.Errorf("identifier: %w", err)
	}
	if reason := repo.CheckIdentifier(identifier); reason != "" {
		return "", fmt.Errorf("no identifier of a repository: %s", reason)
	}
	return identifier, nil
}

// Keys reports whether the list names nothing but whole keys.
func (l *List) Keys() bool { return len(l.ids) == 0 && len(l.identifiers) == 0 }

// Empty reports whether the list names nothing.
func (l *List) Empty() bool { return l.Keys() && len(l.owners) == 0 }

// names returns what of the list a repository is named by, "" if nothing of it.
func (l *List) names(id repo.ID) string {
	switch {
	case l.owners[id.Owner]:
		return "Repository owner " + id.Owner.Npub()
	case l.ids[id]:
		return "Repository " + id.Owner.Npub() + "/" + id.Identifier
	case l.identifiers[id.Identifier]:
		return "Repository identifier " + id.Identifier
	}
	return ""
}

// Judge refuses an event that a list keeps out. It comes before every other rule about what an event says, so that no
// later one can let in what is kept out.
func (l *Lists) Judge(service repo.Service, ev *nostr.Event) Ruling {
	accept := Ruling{Decision: Accept}
	if l == nil {
		return accept
	}
	author := repo.PubKey(ev.PubKey)
	if r := l.JudgeAuthor(author); !r.Accepted() {
		return r
	}
	if ev.Kind != KindAnnouncement {
		return accept
	}
	id := repo.ID{Owner: author, Identifier: ev.Tags.GetD()}
	if name := l.Blocked.names(id); name != "" {
		return refuse("INV-28", "blocked", name+" is blacklisted")
	}
	if l.Allowed.Empty() || l.Allowed.names(id) != "" {
		return accept
	}
	// Who does not ask to be hosted is judged by the other rules: a maintainer may announce elsewhere.
	a, reason := repo.ParseAnnouncement(ev)
	if clone, relays := service.ListedIn(a); reason != "" || !clone || !relays {
		return accept
	}
	return refuse("G01-ANN-13", "restricted", "Repository "+author.Npub()+"/"+id.Identifier+" not in whitelist")
}

// JudgeAuthor refuses what is there for events of a key of which no event is taken.
func (l *Lists) JudgeAuthor(key repo.PubKey) Ruling {
	if l != nil && l.Authors.owners[key] {
		return refuse("INV-28", "blocked", "Event author "+key.Npub()+" is blacklisted")
	}
	return Ruling{Decision: Accept}
}
