package trace

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
)

// IsTrace reports whether a text begins as a trace file of this version does.
func IsTrace(text []byte) bool {
	return len(text) >= len(headerLine) && string(text[:len(headerLine)]) == headerLine
}

// Read hands on the records of a trace file, which begins with the line of this version.
func Read(from io.Reader, each func(Record)) error {
	r := bufio.NewReaderSize(from, 4096)
	if begun, err := r.Peek(len(headerLine)); !IsTrace(begun) {
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("read trace: %w", err)
		}
		return fmt.Errorf("line 1: it is not %q", headerLine[:len(headerLine)-1])
	}
	s := bufio.NewScanner(r)
	s.Buffer(nil, LineMax)
	for line := 1; s.Scan(); line++ {
		var record Record
		if line == 1 {
			continue
		}
		if err := json.Unmarshal(s.Bytes(), &record); err != nil {
			return fmt.Errorf("line %d: no record of a trace: %w", line, err)
		}
		if record.Seq == 0 || record.Fact == "" {
			return fmt.Errorf("line %d: no record of a trace: it has no seq or no fact", line)
		}
		each(record)
	}
	if err := s.Err(); err != nil {
		return fmt.Errorf("read trace: %w", err)
	}
	return nil
}
