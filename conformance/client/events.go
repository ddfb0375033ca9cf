package client

import (
	"fmt"
	"slices"

	"github.com/nbd-wtf/go-nostr"
)

// Event kinds that the builders of this package write.
const (
	KindNote         = 1     // NIP-01 text note
	KindDeletion     = 5     // NIP-09 deletion request
	KindVanish       = 62    // NIP-62 request to vanish
	KindPatch        = 1617  // NIP-34 patch
	KindPullRequest  = 1618  // NIP-34 pull request
	KindUpdate       = 1619  // NIP-34 pull request update
	KindIssue        = 1621  // NIP-34 issue
	KindComment      = 1111  // NIP-22 comment
	KindArticle      = 30023 // NIP-23 long-form content, an addressable kind
	KindAuth         = 22242 // NIP-42 authentication of a client
	KindHTTPAuth     = 27235 // NIP-98 authentication of an HTTP request
	KindAnnouncement = 30617 // NIP-34 repository announcement
	KindState        = 30618 // NIP-34 repository state announcement
)

// Build signs an event. Tags are written in the order given; createdAt is in seconds since the Unix
// epoch. The same arguments give the same event. A key that works puts a nonce behind the tags, unless they have one.
func Build(key Key, kind int, tags [][]string, content string, createdAt int64) *nostr.Event {
	ev := &nostr.Event{Kind: kind, Content: content, CreatedAt: nostr.Timestamp(createdAt), Tags: nostr.Tags{}}
	for _, tag := range tags {
		ev.Tags = append(ev.Tags, slices.Clone(tag))
	}
	mine(key, ev)
	key.sign(ev)
	known.add(ev)
	return ev
}

// AnnounceOpts are the parts of an announcement. Empty parts are left out, except the identifier.
type AnnounceOpts struct {
	Identifier  string
	Name        string
	Description string
	Clone       []string // URLs of the one clone tag
	Relays      []string // URLs of the one relays tag
	Maintainers []string // public keys in hexadecimal
	CreatedAt   int64
	Extra       [][]string // tags appended as they are
}

// Announce builds a repository announcement (kind 30617).
func Announce(key Key, opts AnnounceOpts) *nostr.Event {
	tags := [][]string{{"d", opts.Identifier}}
	single := func(name, value string) {
		if value != "" {
			tags = append(tags, []string{name, value})
		}
	}
	list := func(name string, values []string) {
		if len(values) > 0 {
			tags = append(tags, append([]string{name}, values...))
		}
	}
	single("name", opts.Name)
	single("description", opts.Description)
	list("clone", opts.Clone)
	list("relays", opts.Relays)
	list("maintainers", opts.Maintainers)
	tags = append(tags, opts.Extra...)
	return Build(key, KindAnnouncement, tags, "", opts.CreatedAt)
}

// StateEvent builds a repository state (kind 30618). Each ref is {name, oid}, in the order given; head is
// the full name of the branch that HEAD points to, or "" for no HEAD tag.
func StateEvent(key Key, identifier string, refs [][2]string, head string, createdAt int64) *nostr.Event {
	tags := [][]string{{"d", identifier}}
	for _, ref := range refs {
		tags = append(tags, []string{ref[0], ref[1]})
	}
	if head != "" {
		tags = append(tags, []string{"HEAD", "ref: " + head})
	}
	return Build(key, KindState, tags, "", createdAt)
}

// RepoAddress is the address "30617:pubkey:identifier" that a-tags carry.
func RepoAddress(pubkey, identifier string) string {
	return fmt.Sprintf("%d:%s:%s", KindAnnouncement, pubkey, identifier)
}

// Issue builds an issue (kind 1621) on the repository with the address given.
func Issue(key Key, address, subject, content string, createdAt int64) *nostr.Event {
	tags := [][]string{{"a", address}, {"subject", subject}}
	return Build(key, KindIssue, tags, content, createdAt)
}

// Comment builds a NIP-22 comment (kind 1111) whose root and parent both are the given event.
func Comment(key Key, on *nostr.Event, content string, createdAt int64) *nostr.Event {
	kind := fmt.Sprint(on.Kind)
	tags := [][]string{
		{"E", on.ID, "", on.PubKey},
		{"K", kind},
		{"P", on.PubKey},
		{"e", on.ID, "", on.PubKey},
		{"k", kind},
		{"p", on.PubKey},
	}
	return Build(key, KindComment, tags, content, createdAt)
}

// Note builds a text note (kind 1) with the tags given.
func Note(key Key, tags [][]string, content string, createdAt int64) *nostr.Event {
	return Build(key, KindNote, tags, content, createdAt)
}

// Deletion builds a NIP-09 deletion request (kind 5) for event ids and addresses.
func Deletion(key Key, ids, addresses []string, createdAt int64) *nostr.Event {
	var tags [][]string
	for _, id := range ids {
		tags = append(tags, []string{"e", id})
	}
	for _, address := range addresses {
		tags = append(tags, []string{"a", address})
	}
	return Build(key, KindDeletion, tags, "", createdAt)
}
