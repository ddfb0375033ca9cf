package client

import (
	"context"
	"encoding/base64"
	"fmt"
	"net/http"
	"net/url"
	"strings"
)

// A Door lets a client into a service that is for its members alone (GRASP-08), as one of them: each of its connections has
// authenticated as Key before anybody has it (NIP-42), and each request about a repository carries a token of Key (NIP-98), unless
// it has an Authorization of its own. What is for everybody, the root of the service and preflights, is asked for as by everybody.
//
// Who writes an event, or signs a state, is another matter: the door is about who brings it.
type Door struct {
	Key Key
	// Relay and Git say where the door is shut: a service may let everybody in at one of them.
	Relay, Git bool
	// Late is a relay that sends its challenge when something needs it, not on connecting.
	Late bool
}

// doorSub is the subscription that has a relay tell its challenge.
const doorSub = "door"

// enter authenticates on a connection that nobody has used yet. It returns nil on success.
func (r *Relay) enter(ctx context.Context, d *Door) Observation {
	if o := r.challengedAs(ctx, d); o != nil {
		return o
	}
	proof := Proof(d.Key, r.c.RelayURL(), r.asked, r.c.Now())
	frame := append([]byte(`["AUTH",`), EventJSON(proof)...)
	if o := r.SendRaw(ctx, append(frame, ']')); o != nil {
		return o
	}
	o := r.awaitOK(ctx, proof.ID, r.c.settle)
	if ok, is := o.(OKFrame); is && ok.Accepted {
		return nil
	}
	return o
}

// challengedAs waits for the challenge of a connection, and asks for something if none comes by itself.
func (r *Relay) challengedAs(ctx context.Context, d *Door) Observation {
	if !d.Late {
		if o := r.AwaitChallenge(ctx); !silent(o) {
			return o
		}
	}
	return r.provoke(ctx)
}

// provoke asks for nothing, and reads until both the challenge and the answer have come: nothing of it is left for who uses the
// connection.
func (r *Relay) provoke(ctx context.Context) Observation {
	answered := false
	filter := Filter{Limit: new(int)}
	if o := r.SendRaw(ctx, []byte(`["REQ","`+doorSub+`",`+filter.JSON()+`]`)); o != nil {
		return o
	}
	return r.await(ctx, r.c.settle, "a challenge", func(m message) bool {
		answered = answered || m.sub == doorSub && (m.label == "CLOSED" || m.label == "EOSE")
		return answered && r.asked != ""
	})
}

// locked is the observation of a door that does not open any more, for whoever wants a connection: nothing was judged.
func locked(o Observation) Observation {
	switch o := o.(type) {
	case Silence, TransportError, RateLimited:
		return o
	}
	return TransportError{Phase: "authenticate", Text: "the service does not let in whom it was shown: " + o.String()}
}

// FindDoor looks whether a service turns away who has not said who it is, and returns the door, without a key, and by which words that
// was seen; nil where everybody is let in. somewhere is the path of a repository that need not be there. The client must have no
// door yet. Nothing is written.
func (c *Client) FindDoor(ctx context.Context, somewhere string) (d *Door, why string) {
	d = &Door{}
	d.Late, d.Relay, why = c.relayShut(ctx)
	if o := c.Advertise(ctx, somewhere, UploadPack, 0); unauthorized(o) {
		d.Git = true
		if why == "" {
			why = "git: " + o.String()
		}
	}
	if !d.Relay && !d.Git {
		return nil, ""
	}
	return d, why
}

// Unlock finds the door of a service and shows it keys. It returns the door that opened to the first of them that is let in, with the
// keys that are, most of them at most; nil and no words where everybody is let in; and nil and the last refusal where none of the keys
// is. It asks what FindDoor and Knock ask.
func (c *Client) Unlock(ctx context.Context, keys []Key, most int, somewhere string) (open *Door, let []Key, why string) {
	door, why := c.FindDoor(ctx, somewhere)
	if door == nil {
		return nil, nil, ""
	}
	for _, key := range keys {
		one := *door
		one.Key = key
		if refused := c.Knock(ctx, &one, somewhere); refused != "" {
			why = refused
			continue
		}
		if open == nil {
			open = &one
		}
		if let = append(let, key); len(let) >= most {
			break
		}
	}
	if open != nil {
		why = ""
	}
	return open, let, why
}

// relayShut reports whether a question of nobody is turned away, by which words, and whether a challenge comes with that alone.
func (c *Client) relayShut(ctx context.Context) (late, shut bool, why string) {
	r, o := c.Relay(ctx)
	if o != nil {
		return false, false, ""
	}
	defer r.Close()
	if o := r.await(ctx, c.quiet, "a challenge", func(message) bool { return r.asked != "" }); o != nil && !silent(o) {
		return false, false, ""
	}
	late = r.asked == ""
	_, o = r.Query(ctx, Filter{Limit: new(int)})
	if !shutTo(o) {
		return false, false, ""
	}
	if r.AwaitChallenge(ctx) != nil {
		return false, false, ""
	}
	return late, true, "the relay: " + o.String()
}

// shutTo tells the answer to a question that turns away who asks.
func shutTo(o Observation) bool {
	closed, is := o.(ClosedFrame)
	return is && (closed.Prefix == "auth-required" || closed.Prefix == "restricted")
}

// unauthorized tells an answer of git that asks who is there.
func unauthorized(o Observation) bool {
	answer, is := o.(HTTPAnswer)
	return is && answer.Status == http.StatusUnauthorized
}

// Knock says why a door does not open to its key, or "". The client must have no door itself.
func (c *Client) Knock(ctx context.Context, d *Door, somewhere string) string {
	if d.Relay {
		r, o := c.Relay(ctx)
		if o != nil {
			return o.String()
		}
		defer r.Close()
		if o := r.enter(ctx, d); o != nil {
			return "the relay: " + o.String()
		}
		// A relay may take anybody's proof, and turn away what is asked behind it.
		if _, o := r.Query(ctx, Filter{Limit: new(int)}); shutTo(o) {
			return "the relay: " + o.String()
		}
	}
	if d.Git {
		header := http.Header{"Authorization": {c.tokenOf(d.Key, somewhere)}}
		if o := c.AdvertiseAt(ctx, somewhere, "service="+UploadPack, header); unauthorized(o) {
			return "git does not take its token: " + o.String()
		}
	}
	return ""
}

// Authorization is the header of that name for a path below the service URL, "" where the door is open: for who speaks HTTP, or has it
// spoken, by other means than Do. It is of now, and lasts as long as the service says, a minute as a rule.
func (c *Client) Authorization(path string) string {
	if c.door == nil || !c.door.Git || path == "" || path == "/" || strings.HasPrefix(path, "/?") {
		return ""
	}
	return c.tokenOf(c.door.Key, path)
}

// tokenOf is the header Authorization by which a key may ask for what a path is about: it names the repository as it is cloned, and
// the method GET, whatever is asked (G08-05).
func (c *Client) tokenOf(key Key, path string) string {
	u := c.origin.Scheme + "://" + c.origin.Host + c.base() + rootOf(path)
	token := EventJSON(Build(key, KindHTTPAuth, [][]string{{"u", u}, {"method", http.MethodGet}}, "", c.Now()))
	return "Nostr " + base64.StdEncoding.EncodeToString(token)
}

// TokenTold is the form in which the record tells a token of the door: whose it is, and the path of what it is for.
const TokenTold = "(a token of %s for %s)"

// told is what the record has in place of a token for a path.
func (d *Door) told(path string) string { return fmt.Sprintf(TokenTold, d.Key.Pubkey, rootOf(path)) }

// rootOf is the path of the repository, or of the place for contributions, that a path is about, written as RepoPath does: whatever
// stands behind its name is cut, and the name has its ending. What is about none stays as it is, but for its query.
func rootOf(path string) string {
	path, _, _ = strings.Cut(path, "?")
	prefix, rest := "/", strings.TrimPrefix(path, "/")
	if below, is := strings.CutPrefix(rest, "prs/"); is {
		prefix, rest = "/prs/", below
	}
	npub, rest, _ := strings.Cut(rest, "/")
	name, _, _ := strings.Cut(rest, "/")
	plain, err := url.PathUnescape(name)
	if npub == "" || name == "" || err != nil {
		return path
	}
	return prefix + npub + "/" + escape(strings.TrimSuffix(plain, ".git")) + ".git"
}
