package record

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// BytesMax bounds a document that is read.
const BytesMax = 512 << 20

// Write writes the document as run.json.
func Write(w io.Writer, d *Document) error {
	enc := json.NewEncoder(w)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	if err := enc.Encode(d); err != nil {
		return fmt.Errorf("write run.json: %w", err)
	}
	return nil
}

// What is wrong with a document that cannot be read.
var (
	ErrSchema  = errors.New("another schema")
	ErrTooLong = errors.New("too long")
)

// Read reads a run.json. Members that it does not know, of a later version, are passed over.
func Read(r io.Reader) (*Document, error) {
	limited := &io.LimitedReader{R: r, N: BytesMax + 1}
	var d Document
	dec := json.NewDecoder(limited)
	if err := dec.Decode(&d); err != nil {
		if limited.N <= 0 {
			err = fmt.Errorf("%w: more than %d bytes", ErrTooLong, BytesMax)
		}
		return nil, fmt.Errorf("read run.json: %w", err)
	}
	if d.Schema != Schema {
		return nil, fmt.Errorf("read run.json: %w: got %q, want %q", ErrSchema, d.Schema, Schema)
	}
	return &d, nil
}
