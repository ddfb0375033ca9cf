package spec

// manyWireDefects are mistakes of any server that show where there is much at once: clients that leave or do not read, values, questions.
func manyWireDefects() []Defect {
	return []Defect{
		{"who-left-cuts-off-others", "N01-REQ-01", nil, "The first event for a subscription whose client has left does not come to those who connected later."},
		{"who-left-fails-publishers", "N01-REQ-01", nil, "The first event for a subscription whose client has left is answered with an error."},
		{"one-writer-for-all-clients", "SEC-08", nil, "While a client does not read nobody gets a message of the relay."},
		{"one-writer-of-events-for-all-clients", "SEC-08", nil, "While a client does not read nobody gets an event."},
	}
}
