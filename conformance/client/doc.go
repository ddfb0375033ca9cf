// Package client speaks nostr and git to a GRASP server through a [target.Target] and reports each
// answer as a typed [Observation].
//
// It works synchronously and starts no goroutine. It has its own framing of relay messages, pkt-lines
// and packs, apart from the server's, so that one mistake cannot hide on both sides; of go-git it uses
// the object model and codecs only. Every message of its own is checked before it is sent, unless the
// method's name says malformed or raw; a mismatch is a fault of the caller and panics.
//
// It judges nothing: whether an observation is what a requirement asks for is decided by the caller,
// with [Refusal] and [Inconclusive] as the only two classifications offered.
package client
