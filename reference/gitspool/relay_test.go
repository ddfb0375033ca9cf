package gitspool_test

import (
	"bytes"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/graspkit/graspkit/reference/gitspool"
)

// A gated writer takes nothing until its gate is closed.
type gated struct {
	bytes.Buffer

	gate <-chan struct{}
}

func (g *gated) Write(p []byte) (int, error) {
	<-g.gate
	return g.Buffer.Write(p)
}

// Who produces is done before who takes has begun, as long as the pool has room; all comes in order, and no file stays.
func TestRelayDoesNotWait(t *testing.T) {
	text := make([]byte, 300_000)
	_, _ = rand.NewChaCha8([32]byte{}).Read(text)
	for _, memory := range []int64{1 << 20, 1000} {
		dir := t.TempDir()
		gate := make(chan struct{})
		w := &gated{gate: gate}
		taken, produced, sent := open(t, dir, gitspool.Limits{Memory: memory}).Relay(w, func(w io.Writer) error {
			defer close(gate)
			_, err := io.Copy(w, chunks(text, 7000))
			return err
		})
		if produced != nil || sent != nil || taken != int64(len(text)) || !bytes.Equal(w.Bytes(), text) {
			t.Errorf("memory %d: got %d bytes, %v, %v, want %d", memory, taken, produced, sent, len(text))
		}
		if files, _ := os.ReadDir(dir); len(files) > 0 {
			t.Errorf("memory %d: got %d files left", memory, len(files))
		}
	}
}

// With a full pool who produces goes at the pace of who takes, and nothing is lost.
func TestRelayWithoutRoom(t *testing.T) {
	text := make([]byte, 300_000)
	_, _ = rand.NewChaCha8([32]byte{}).Read(text)
	p := open(t, t.TempDir(), gitspool.Limits{Memory: 1000, Files: 2000})
	var w bytes.Buffer
	taken, produced, sent := p.Relay(&w, func(w io.Writer) error {
		_, err := io.Copy(w, chunks(text, 1700))
		return err
	})
	if produced != nil || sent != nil || taken != int64(len(text)) || !bytes.Equal(w.Bytes(), text) {
		t.Errorf("got %d bytes, %v, %v, want %d", taken, produced, sent, len(text))
	}
}

var errGone = errors.New("gone")

// Who takes may go at any time: who produces is told at its next write, also if it waits for room.
func TestRelayEnds(t *testing.T) {
	for _, files := range []int64{0, 1} {
		p := open(t, t.TempDir(), gitspool.Limits{Memory: 10, Files: files})
		_, produced, sent := p.Relay(failing{}, func(w io.Writer) error {
			for {
				if _, err := w.Write(make([]byte, 100)); err != nil {
					return err
				}
			}
		})
		if !errors.Is(produced, io.ErrClosedPipe) || !errors.Is(sent, errGone) {
			t.Errorf("room for %d: got %v and %v", files, produced, sent)
		}
	}
	taken, produced, sent := open(t, t.TempDir(), gitspool.Limits{}).Relay(&bytes.Buffer{}, func(w io.Writer) error {
		_, _ = w.Write([]byte("half"))
		return errGone
	})
	if taken != 4 || !errors.Is(produced, errGone) || sent != nil {
		t.Errorf("failure of who produces: got %d, %v, %v", taken, produced, sent)
	}
}

type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errGone }

// chunks reads text in pieces of a size.
func chunks(text []byte, size int) io.Reader {
	return readerFunc(func(b []byte) (int, error) {
		if len(text) == 0 {
			return 0, io.EOF
		}
		n := copy(b[:min(len(b), size)], text)
		text = text[n:]
		return n, nil
	})
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(b []byte) (int, error) { return f(b) }
