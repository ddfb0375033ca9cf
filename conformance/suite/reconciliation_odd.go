package suite

import (
	"encoding/hex"
	"regexp"
	"strings"
	"sync"

	"github.com/graspkit/graspkit/conformance/client"
)

// An odd message is one of a reconciliation that breaks its protocol, or that asks for more than anybody needs: in
// hexadecimal, unless that is what is wrong with it.
type oddMessage struct{ name, text string }

// manyRanges are more ranges than fit into a pipe: 30,000 of three bytes.
const manyRanges = 30_000

// oddMessages are those messages. A range is the time and the prefix of its upper bound, its mode, and what the mode wants:
// 0 skips, 1 has a fingerprint, 2 a list of ids.
var oddMessages = sync.OnceValue(func() []oddMessage {
	return []oddMessage{
		{"a bound cut short", "6100"},
		{"an unknown mode", "61000007"},
		{"a list without ids", "61000002ffffff7f"},
		{"bounds in disorder", "610102bbbb000101aa00"},
		{"no message", ""},
		{"no hexadecimal text", "6z"},
		{"half a byte", "610"},
		{"a version alone", "61"},
		{"a fingerprint cut short", "61000001aabb"},
		{"a list cut short", "6100000202" + strings.Repeat("aa", 33)},
		{"a prefix of 33 bytes", "610121" + strings.Repeat("aa", 33) + "00"},
		{"a prefix cut short", "610120aabb"},
		{"a list of a thousand ids that are not there", "610000028768"},
		{"a list of millions of ids that are not there", "61000002ffff7f"},
		{"a list of a million million ids that are not there", "61000002a08080808000"},
		{"a list of more ids than can be counted", "61000002ffffffffffffffff7f"},
		{"a number without end", "61000002" + strings.Repeat("ff", 10)},
		{"a time without end", "61" + strings.Repeat("ff", 10) + "0000"},
		{"a time beyond all", "61ffffffffffffffff7f0000"},
		{"a prefix of endless length", "6101" + strings.Repeat("ff", 9) + "7f00"},
		{"ranges behind the last one", "61000000000000000000"},
		{"nothing but skipped ranges", "61" + strings.Repeat("020000", 3)},
		{"very many empty ranges", "61" + strings.Repeat("020000", manyRanges)},
		{"very many empty lists", "61" + strings.Repeat("02000200", manyRanges)},
		{"very many fingerprints", "61" + strings.Repeat("020001"+strings.Repeat("00", 16), manyRanges/8)},
	}
})

// oddNames are their names, as the text of a step.
func oddNames() string {
	var names []string
	for _, m := range oddMessages() {
		names = append(names, regexp.QuoteMeta(m.name))
	}
	return strings.Join(names, "|")
}

func odd(name string) string {
	for _, m := range oddMessages() {
		if m.name == name {
			return m.text
		}
	}
	panic("suite: invariant: unknown message " + name)
}

// openOdd opens a reconciliation of somebody's events with such a message.
func (w *world) openOdd(sub, actor, name string) outcome {
	relay, out := w.connect()
	if !out.held() {
		return out
	}
	w.relay.neg = reconciling{sub: sub}
	filter := client.Filter{Authors: []string{w.key(actor).Pubkey}}
	w.relay.neg.answer, w.relay.neg.fault = relay.NegOpenRaw(w.ctx, sub, filter, odd(name))
	return outcome{}
}

// goOnOdd opens a reconciliation properly and goes on with such a message, which has to be hexadecimal.
func (w *world) goOnOdd(name string) outcome {
	message, err := hex.DecodeString(odd(name))
	if err != nil {
		return harnessError("%s is no message to go on with", name)
	}
	out := w.asPrecondition(func() outcome {
		return w.openNeg(subNeg, "stranger", []byte{client.NegVersion}).then(w.negFault)
	})
	return out.then(func() outcome {
		w.relay.neg.answer, w.relay.neg.fault = w.relay.conn.NegMsg(w.ctx, subNeg, message)
		return outcome{}
	})
}

// unheardNeg is the outcome of a malformed message that no error answers. Silence is a violation if a well-formed one is
// answered on a connection of its own.
func (w *world) unheardNeg() outcome {
	silence, is := w.relay.neg.fault.(client.Silence)
	if !is {
		return w.negFault()
	}
	fresh, o := w.client.Relay(w.ctx)
	if o != nil {
		return inconclusive("connect", o)
	}
	defer fresh.Close()
	filter := client.Filter{Authors: []string{w.key("stranger").Pubkey}}
	if _, fault := fresh.NegOpen(w.ctx, subNeg, filter, []byte{client.NegVersion}); fault != nil {
		return w.negFault()
	}
	return violated("a malformed message is not answered (%v), but a well-formed one is, on a new connection", silence)
}
