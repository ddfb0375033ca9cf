package trace

import (
	"encoding/json"
	"fmt"
	"io"
)

// A Writer writes records as JSON, one object a line, with the names of its book.
type Writer struct {
	out   *json.Encoder
	names *Names
	err   error
}

// NewWriter returns a writer to w, which is best buffered. Names may be given while records are written.
func NewWriter(w io.Writer, names *Names) *Writer {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	return &Writer{out: out, names: names}
}

// Write writes one record. After an error it does nothing more; see Err. It can be the sink of a Trace.
func (w *Writer) Write(r Record) {
	if w.err != nil {
		return
	}
	r.Event, r.Owner = w.names.Of(r.Event), w.names.Of(r.Owner)
	if err := w.out.Encode(r); err != nil {
		w.err = fmt.Errorf("write trace record %d: %w", r.Seq, err)
	}
}

// Err is the first error of Write, or nil.
func (w *Writer) Err() error { return w.err }
