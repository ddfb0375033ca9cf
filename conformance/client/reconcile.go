package client

import (
	"context"
	"encoding/hex"
	"fmt"
	"slices"

	"github.com/nbd-wtf/go-nostr"
)

// MaxNegRounds bounds the messages that a client sends in one reconciliation.
const MaxNegRounds = 64

// Reconciled is what a client has learned from a reconciliation.
type Reconciled struct {
	Have    []string // ids that only the client has, sorted
	Need    []string // ids that only the relay has, sorted
	Rounds  int      // messages of the relay
	Longest int      // bytes of the longest of them, before hexadecimal
}

// A Tally is what a relay tells to be so many events.
type Tally struct {
	N     int
	Rough bool // the relay says that it may be wrong (NIP-45, approximate)
}

// Count asks how many events match any of the filters (NIP-45). The observation is nil when the relay told; else
// ClosedFrame, RateLimited, NoticeFrame, BadAnswer, Silence or TransportError.
func (r *Relay) Count(ctx context.Context, filters ...Filter) (Tally, Observation) {
	if on := r.lasting(ctx); on != r {
		return on.Count(ctx, filters...)
	}
	r.queries++
	return r.CountAs(ctx, fmt.Sprintf("count-%d", r.queries), filters...)
}

// CountAs is Count under an id of the caller's choice.
func (r *Relay) CountAs(ctx context.Context, sub string, filters ...Filter) (Tally, Observation) {
	if o := r.c.beyond(filters); o != nil {
		return Tally{}, o
	}
	frame := append([]byte(`["COUNT",`), encode(sub)...)
	for _, filter := range filters {
		frame = append(frame, ',')
		frame = append(frame, filter.JSON()...)
	}
	frame = append(frame, ']')
	var tally Tally
	o := r.c.paced(ctx, "query", func(int) Observation {
		r.awaits(sub)
		m, o := r.ask(ctx, frame, "COUNT", func(m message) bool {
			return m.sub == sub && (m.label == "COUNT" || m.label == "CLOSED")
		})
		if o == nil && m.label == "CLOSED" {
			prefix, text := splitPrefix(m.text)
			o = closed(sub, prefix, text)
		}
		tally = m.tally
		return o
	}, limitedQuery)
	return tally, o
}

// NegOpen begins a reconciliation and returns the relay's message, any bytes. The observation is nil when one came; else
// NegErrFrame, RateLimited, NoticeFrame, BadAnswer, Silence or TransportError.
func (r *Relay) NegOpen(ctx context.Context, sub string, filter Filter, first []byte) ([]byte, Observation) {
	return r.NegOpenRaw(ctx, sub, filter, hex.EncodeToString(first))
}

// NegOpenRaw is NegOpen with a text that need not be hexadecimal.
func (r *Relay) NegOpenRaw(ctx context.Context, sub string, filter Filter, first string) ([]byte, Observation) {
	frame := append([]byte(`["NEG-OPEN",`), encode(sub)...)
	frame = append(append(frame, ','), filter.JSON()...)
	frame = append(append(frame, ','), encode(first)...)
	frame = append(frame, ']')
	var answer []byte
	o := r.c.paced(ctx, "query", func(int) (o Observation) {
		answer, o = r.negTurn(ctx, sub, frame)
		return o
	}, limitedQuery)
	return answer, o
}

// NegMsg goes on with a reconciliation. The results are those of NegOpen.
func (r *Relay) NegMsg(ctx context.Context, sub string, next []byte) ([]byte, Observation) {
	frame := append([]byte(`["NEG-MSG",`), encode(sub)...)
	frame = append(append(frame, ','), encode(hex.EncodeToString(next))...)
	return r.negTurn(ctx, sub, append(frame, ']'))
}

// NegClose ends a reconciliation, which nobody answers. The observation is nil when it was sent.
func (r *Relay) NegClose(ctx context.Context, sub string) Observation {
	frame := append([]byte(`["NEG-CLOSE",`), encode(sub)...)
	return r.SendRaw(ctx, append(frame, ']'))
}

func (r *Relay) negTurn(ctx context.Context, sub string, frame []byte) ([]byte, Observation) {
	r.awaits(sub)
	m, o := r.ask(ctx, frame, "NEG-MSG", func(m message) bool {
		return m.sub == sub && (m.label == "NEG-MSG" || m.label == "NEG-ERR")
	})
	if o != nil {
		return nil, o
	}
	if m.label == "NEG-ERR" {
		prefix, text := splitPrefix(m.text)
		if prefix == prefixRateLimited {
			return nil, RateLimited{Text: text}
		}
		if prefix == "closed" { // behind NEG-OPEN it may be the end of the one before of that id
			r.c.noteClosure()
		}
		return nil, NegErrFrame{Sub: sub, Prefix: prefix, Text: text}
	}
	answer, err := hex.DecodeString(m.text)
	if err != nil {
		return nil, BadAnswer{Phase: "negentropy", Text: "NEG-MSG is not hexadecimal"}
	}
	return answer, nil
}

// ask sends a message and returns the answer to it. A NOTICE counts as an answer if no other follows it.
func (r *Relay) ask(ctx context.Context, frame []byte, awaited string, answers func(m message) bool) (message, Observation) {
	if o := r.SendRaw(ctx, frame); o != nil {
		return message{}, o
	}
	var answer message
	o := r.awaitOrNotice(ctx, awaited, r.c.settle, func(m message) bool {
		if !answers(m) {
			return false
		}
		answer = m
		return true
	})
	return answer, o
}

// Reconcile finds out what the client and the relay lack of what a filter selects, of which the client has the events
// given, and closes the reconciliation. The observation is nil when it came to its end; else those of NegOpen, BadAnswer
// also for an answer that breaks the negentropy protocol and for one that leads nowhere.
func (r *Relay) Reconcile(ctx context.Context, sub string, filter Filter, own []*nostr.Event) (Reconciled, Observation) {
	if on := r.lasting(ctx); on != r {
		return on.Reconcile(ctx, sub, filter, own)
	}
	i := &initiator{items: negItems(own)}
	w := negWriter{out: []byte{NegVersion}}
	w.ask(i.items, negEnd)
	answer, o := r.NegOpen(ctx, sub, filter, w.out)
	for o == nil {
		i.seen.Rounds++
		i.seen.Longest = max(i.seen.Longest, len(answer))
		var next []byte
		if next, o = i.read(answer); o != nil {
			break
		}
		if next == nil {
			slices.Sort(i.seen.Have)
			slices.Sort(i.seen.Need)
			return i.seen, r.NegClose(ctx, sub)
		}
		if i.seen.Rounds == MaxNegRounds {
			o = BadAnswer{Phase: "negentropy", Text: fmt.Sprintf("no end after %d messages", MaxNegRounds)}
			break
		}
		answer, o = r.NegMsg(ctx, sub, next)
	}
	return i.seen, o
}

// An initiator is the client's side of one reconciliation.
type initiator struct {
	items []negItem
	seen  Reconciled
}

// read takes an answer, and returns the next message, or nil at the end.
func (i *initiator) read(answer []byte) ([]byte, Observation) {
	bad := func(why string) ([]byte, Observation) {
		return nil, BadAnswer{Phase: "negentropy", Text: "NEG-MSG: " + why}
	}
	if len(answer) == 0 || answer[0] != NegVersion {
		return bad(fmt.Sprintf("%.8x is not of version 1", answer))
	}
	r, w := negReader{data: answer[1:]}, negWriter{out: []byte{NegVersion}}
	from, asked := 0, false
	var skipped negItem
	for len(r.data) > 0 {
		part, err := r.next()
		if err != nil {
			return bad(err.Error())
		}
		to := len(i.items)
		if part.upTo.at != negEnd.at {
			n, _ := slices.BinarySearchFunc(i.items[from:], part.upTo, negItem.compare)
			to = from + n
		}
		mine := i.items[from:to]
		from = to
		switch {
		case part.mode == negList:
			i.compare(mine, part.ids)
		case part.mode == negFingerprint && part.sum != negSum(mine):
			if skipped.at > 0 || skipped.id != "" {
				w.head(skipped, negSkip)
			}
			w.ask(mine, part.upTo)
			asked = true
			skipped = negItem{}
			continue
		}
		skipped = part.upTo
	}
	if !asked {
		return nil, nil
	}
	return w.out, nil
}

// compare notes the differences of one range.
func (i *initiator) compare(mine []negItem, ids []string) {
	theirs := make(map[string]bool, len(ids))
	for _, id := range ids {
		theirs[id] = true
	}
	for _, item := range mine {
		if !theirs[item.id] {
			i.seen.Have = append(i.seen.Have, hex.EncodeToString([]byte(item.id)))
		}
		delete(theirs, item.id)
	}
	for id := range theirs {
		i.seen.Need = append(i.seen.Need, hex.EncodeToString([]byte(id)))
	}
}
