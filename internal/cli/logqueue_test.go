package cli_test

import (
	"bytes"
	"io"
	"log/slog"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/internal/cli"
)

// Who logs into a pipe that nobody reads does not wait. Once it is read again, it is told how much is missing, and what came
// before and after is there.
func TestLogsWaitForNobody(t *testing.T) {
	r, w := io.Pipe()
	log, end := cli.NewQueuedLogger(w, slog.LevelInfo, nil)
	log.Info("first")
	long := strings.Repeat("x", 100_000)
	for range 100 {
		log.Info("line", slog.String("text", long))
	}
	read := make(chan string)
	go func() {
		content, err := io.ReadAll(r)
		if err != nil {
			t.Error(err)
		}
		read <- string(content)
	}()
	if err := end(); err != nil {
		t.Error(err)
	}
	log.Info("after the end")
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	got := <-read
	lines := strings.Split(strings.TrimSuffix(got, "\n"), "\n")
	if n := strings.Count(got, long); n < 30 || n > 60 {
		t.Errorf("got %d of 100 lines, want what four MiB hold", n)
	}
	if !strings.Contains(lines[0], "first") || !strings.Contains(lines[len(lines)-1], "lines of the log were dropped") {
		t.Errorf("got %.60q first and %.200q last", lines[0], lines[len(lines)-1])
	}
}

func TestQueuedLogsKeepTheirOrder(t *testing.T) {
	var buf bytes.Buffer
	log, end := cli.NewQueuedLogger(&buf, slog.LevelInfo, nil)
	want := ""
	for i := range 1000 {
		log.Info("line", slog.Int("n", i))
		one, single := bytes.Buffer{}, slog.LevelInfo
		cli.NewLogger(&one, single, nil).Info("line", slog.Int("n", i))
		want += one.String()
	}
	if err := end(); err != nil {
		t.Fatal(err)
	}
	if buf.String() != want {
		t.Errorf("got %d bytes, want %d in order", buf.Len(), len(want))
	}
}

// At the end a pipe that nobody reads is left.
func TestTheEndDoesNotWaitForLogs(t *testing.T) {
	r, w := io.Pipe()
	defer r.Close()
	log, end := cli.NewQueuedLogger(w, slog.LevelInfo, nil)
	log.Info("line")
	if err := end(); err == nil {
		t.Error("got no error, want that the line was not taken")
	}
}
