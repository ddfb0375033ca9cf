package suite

// askAgain sends what had to be refused, and was passed over in silence, once more on a new connection, for one silence may
// have any cause. A second one is kept as the answer: what the accepted twin then meets, on a connection of its own, decides
// what it is worth. Answered properly, it shows that this alone is not answered.
func (w *world) askAgain() outcome {
	again := w.sent.again
	w.hangUp()
	if again == nil {
		return inconclusive("an event that has to be refused", w.sent.answer)
	}
	out := again()
	w.hangUp()
	return out
}

// hangUp ends the actors' connection; the next step that needs one makes another.
func (w *world) hangUp() {
	if w.relay.conn != nil {
		w.relay.conn.Close()
	}
	w.relay.conn, w.relay.watching = nil, false
}
