// Package relay is the nostr wire of the server: it turns raw NIP-01 frames into messages and messages into frames, as the
// server of its clients and as a client of other relays, matches filters, keeps the subscriptions and reconciliations of
// each connection, and finds the subscriptions that want an event. It reads JSON strictly by itself, stores no events,
// judges none beyond their form, and touches no socket.
package relay

// Limits of what one frame and one connection may hold.
const (
	MessageBytesMax  = 512 << 10 // bytes of one frame
	SubIDMax         = 64        // characters of a subscription id (N01-REQ-03)
	FiltersMax       = 20        // filters of one REQ
	FilterValuesMax  = 1000      // values of one list of a filter
	TagsMax          = 2500      // tags of one event
	FieldsMax        = 64        // fields of one JSON object
	JSONDepthMax     = 32        // nested arrays and objects of one frame
	SubscriptionsMax = 100       // open subscriptions of one connection
	FilterBytesMax   = 8 << 20   // bytes of the filters of one connection, by Filter.Bytes: over 20,000 ids
	NegBytesMax      = 250_000   // bytes of one message of a reconciliation, each two characters of a frame
	SetsMax          = 16        // open reconciliations of one connection
	KindMax          = 65535     // largest event kind (NIP-01)
	TimeMax          = 1<<53 - 1 // largest created_at, since and until: what every JSON reader keeps exactly
)
