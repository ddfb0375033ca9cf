package suite

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"regexp"
	"strconv"
	"time"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/target"
)

// facts are what the start of a run found out about the target. They are never written afterwards.
type facts struct {
	document map[string]any // relay information document; nil if there is none
	software string
	nips     map[int]bool
	grasps   map[int]bool
	start    time.Time // the target's clock at the start
	work     int       // bits of work that the document asks for
}

// greeting is how the target answered first.
type greeting struct {
	down        string // why it counts as dead; "" if it lives
	unreachable bool
}

// graspName is the form of a GRASP's name.
var graspName = regexp.MustCompile(`^GRASP-(\d{2})$`)

// informationHeader asks for the relay information document (NIP-11).
func informationHeader() http.Header {
	return http.Header{"Accept": {"application/nostr+json"}}
}

// greet asks for the relay information document and opens a connection. The target is dead only if
// neither brings an answer.
func greet(ctx context.Context, c *client.Client) (facts, greeting) {
	f := facts{nips: make(map[int]bool), grasps: make(map[int]bool), start: c.Target().Now()}
	document := c.Get(ctx, "/", informationHeader())
	if usual := c.Settle(); unanswered(document) && usual < slowest { // it may be slow and not dead
		c.Allow(slowest)
		if document = c.Get(ctx, "/", informationHeader()); unanswered(document) {
			c.Allow(usual)
		}
	}
	if refusedTCP(document) {
		return f, greeting{down: document.String(), unreachable: true}
	}
	if answer, ok := document.(client.HTTPAnswer); ok {
		f.read(answer.Body)
		return f, greeting{}
	}
	relay, o := c.Relay(ctx)
	if o != nil {
		return f, greeting{
			down:        fmt.Sprintf("neither HTTP nor WebSocket answered (%v; %v)", document, o),
			unreachable: true,
		}
	}
	defer relay.Close()
	if _, o = relay.Query(ctx, client.Filter{Limit: new(int)}); o != nil && client.Inconclusive(o) {
		return f, greeting{down: fmt.Sprintf("it takes connections and answers nothing (%v; %v)", document, o), unreachable: true}
	}
	return f, greeting{}
}

// refusedTCP reports whether no connection could be made at all.
func refusedTCP(o client.Observation) bool {
	broken, ok := o.(client.TransportError)
	return ok && errors.Is(broken.Err, target.ErrUnreachable)
}

// authRequired reports whether the document says that clients have to authenticate before they do anything else.
func (f *facts) authRequired() bool {
	limitation, _ := f.document["limitation"].(map[string]any)
	required, _ := limitation["auth_required"].(bool)
	return required
}

// read takes from a relay information document what conditions need, and forgives everything else.
func (f *facts) read(body []byte) {
	var document map[string]any
	if json.Unmarshal(body, &document) != nil {
		return
	}
	f.document = document
	f.software, _ = document["software"].(string)
	if version, _ := document["version"].(string); version != "" {
		f.software += " " + version
	}
	limitation, _ := document["limitation"].(map[string]any)
	if bits, is := limitation["min_pow_difficulty"].(float64); is && bits > 0 && bits <= client.WorkMax {
		f.work = int(bits)
	}
	nips, _ := document["supported_nips"].([]any)
	for _, n := range nips {
		if number, ok := n.(float64); ok {
			f.nips[int(number)] = true
		}
	}
	grasps, _ := document["supported_grasps"].([]any)
	for _, g := range grasps {
		name, _ := g.(string)
		if m := graspName.FindStringSubmatch(name); m != nil {
			number, _ := strconv.Atoi(m[1])
			f.grasps[number] = true
		}
	}
}
