package node_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/node"
)

// BenchmarkJournalWrite writes events of ordinary length, one in each transaction or as many as come together under load, and
// tells the bytes that went to the disk for each byte of an event (on Linux), what is moved at the end included.
func BenchmarkJournalWrite(b *testing.B) {
	for _, group := range []int{1, 64} {
		b.Run(fmt.Sprintf("together-%d", group), func(b *testing.B) {
			j, err := node.OpenJournal(filepath.Join(b.TempDir(), "events.db"))
			if err != nil {
				b.Fatal(err)
			}
			records, kept := make([]core.Record, group), 0
			fill := func(round int) {
				for i := range records {
					records[i] = store(event(int64(round*group+i), strings.Repeat("some words ", 30)))
					kept += len(records[i].Event.String())
				}
			}
			fill(-1)
			if err := j.Write(records); err != nil { // the first makes the files
				b.Fatal(err)
			}
			before := written()
			kept = 0
			for round := 0; b.Loop(); round++ {
				b.StopTimer()
				fill(round)
				b.StartTimer()
				if err := j.Write(records); err != nil {
					b.Fatal(err)
				}
			}
			b.StopTimer()
			if err := j.Close(); err != nil {
				b.Fatal(err)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*group), "ns/event")
			if after := written(); after > 0 {
				b.ReportMetric((after-before)/float64(kept), "written/kept")
			}
		})
	}
}

// written is how many bytes this process has had written to the disk, where the system tells.
func written() (bytes float64) {
	text, _ := os.ReadFile("/proc/self/io") // 0 without it
	for line := range strings.Lines(string(text)) {
		_, _ = fmt.Sscanf(line, "write_bytes: %f", &bytes)
	}
	return bytes
}
