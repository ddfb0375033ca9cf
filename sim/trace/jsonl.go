package trace

import (
	"encoding/json"
	"fmt"
	"io"
)

// Version is that of the form of trace files, which docs/trace.md describes. It grows whenever a field changes its meaning or
// goes; a new one leaves it as it is.
const Version = 1

// headerLine is the first line of a trace file, with its end.
var headerLine = fmt.Sprintf("{\"format\":\"grasp-sim trace\",\"version\":%d}\n", Version)

// A Writer writes a first line with the version and then records as JSON, one object a line, with the names of its book.
type Writer struct {
	out   *json.Encoder
	names *Names
	err   error
}

// NewWriter returns a writer to w, which is best buffered, and begins the file. Names may be given while records are written.
func NewWriter(w io.Writer, names *Names) *Writer {
	out := json.NewEncoder(w)
	out.SetEscapeHTML(false)
	t := &Writer{out: out, names: names}
	if _, err := io.WriteString(w, headerLine); err != nil {
		t.err = fmt.Errorf("write first line of trace: %w", err)
	}
	return t
}

// Write writes one record. After an error it does nothing more; see Err. It can be the sink of a Trace.
func (w *Writer) Write(r Record) {
	if w.err != nil {
		return
	}
	r.Event, r.Owner, r.Detail = w.names.Of(r.Event), w.names.Of(r.Owner), w.names.In(r.Detail)
	if err := w.out.Encode(r); err != nil {
		w.err = fmt.Errorf("write trace record %d: %w", r.Seq, err)
	}
}

// Err is the first error of a writer, or nil.
func (w *Writer) Err() error { return w.err }
