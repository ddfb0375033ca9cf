package gitproto_test

import (
	"bytes"
	"errors"
	"io"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/reference/gitproto"
)

func TestReaderReadsPackets(t *testing.T) {
	r := gitproto.NewReader(strings.NewReader("0006a\n0000000100020004000BACBEX12"), 1<<20)
	want := []gitproto.Packet{
		{Data: []byte("a\n")},
		{Kind: gitproto.FlushPacket},
		{Kind: gitproto.DelimPacket},
		{Kind: gitproto.ResponseEndPacket},
		{Data: []byte{}},
		{Data: []byte("ACBEX12")},
	}
	for i, w := range want {
		got, err := r.Next()
		if err != nil {
			t.Fatalf("packet %d: %v", i, err)
		}
		if diff := cmp.Diff(w, got); diff != "" {
			t.Errorf("packet %d (-want +got):\n%s", i, diff)
		}
	}
	if _, err := r.Next(); !errors.Is(err, io.EOF) {
		t.Errorf("after the last packet: got %v, want io.EOF", err)
	}
}

func TestReaderRefuses(t *testing.T) {
	cases := map[string]string{
		"length 3": "0003", "no hex": "00g5a", "sign": "+005a", "too long": "fff1" + strings.Repeat("a", 65520),
		"cut length": "00", "cut data": "0008ab", "no data": "0008", "beyond the limit": "0105" + strings.Repeat("a", 257),
	}
	for _, name := range slices.Sorted(maps.Keys(cases)) {
		_, err := gitproto.NewReader(strings.NewReader(cases[name]), 256).Next()
		var bad *gitproto.ProtocolError
		if !errors.As(err, &bad) {
			t.Errorf("%s: got %v, want a ProtocolError", name, err)
		}
	}
}

func TestReaderTakesTheLongestPacketAndNoByteMore(t *testing.T) {
	in := strings.NewReader("fff0" + strings.Repeat("a", gitproto.DataMax) + "PACK")
	p, err := gitproto.NewReader(in, 1<<20).Next()
	if err != nil || len(p.Data) != gitproto.DataMax {
		t.Fatalf("longest packet: got %d bytes, %v", len(p.Data), err)
	}
	if rest, _ := io.ReadAll(in); string(rest) != "PACK" {
		t.Errorf("after the packet: got %q left, want PACK", rest)
	}
}

func TestReaderReturnsErrorsOfItsInput(t *testing.T) {
	broken := errors.New("broken")
	_, err := gitproto.NewReader(io.MultiReader(strings.NewReader("0009a"), failing{broken}), 256).Next()
	if !errors.Is(err, broken) {
		t.Errorf("got %v, want %v", err, broken)
	}
}

type failing struct{ err error }

func (f failing) Read([]byte) (int, error) { return 0, f.err }

func TestBandCutsPackets(t *testing.T) {
	var b bytes.Buffer
	n, err := gitproto.NewBand(&b, gitproto.PackBand, gitproto.SideBandMax).Write(make([]byte, 2500))
	if n != 2500 || err != nil {
		t.Fatalf("Write: got %d, %v", n, err)
	}
	r := gitproto.NewReader(&b, 1<<20)
	for _, want := range []int{996, 996, 511} {
		p, err := r.Next()
		if err != nil || len(p.Data) != want || p.Data[0] != gitproto.PackBand {
			t.Errorf("packet: got %d bytes, %v, want %d on band 1", len(p.Data), err, want)
		}
	}
}

func TestWriteErrorStaysOnOneLine(t *testing.T) {
	var b bytes.Buffer
	if err := gitproto.WriteError(&b, "a\nb\x00"+strings.Repeat("c", 5000)); err != nil {
		t.Fatal(err)
	}
	p, err := gitproto.NewReader(&b, 1<<20).Next()
	if err != nil || !strings.HasPrefix(string(p.Data), "ERR a b c") || len(p.Data) > 1100 {
		t.Errorf("got %.40q of %d bytes, %v", p.Data, len(p.Data), err)
	}
}

func FuzzReader(f *testing.F) {
	f.Add([]byte("0006a\n0000"))
	f.Add([]byte("fff0"))
	f.Fuzz(func(t *testing.T, input []byte) {
		in := bytes.NewReader(input)
		r := gitproto.NewReader(in, 1<<20)
		var again bytes.Buffer
		w := gitproto.NewWriter(&again)
		for {
			p, err := r.Next()
			if err != nil {
				break
			}
			switch p.Kind {
			case gitproto.DataPacket:
				w.Text(string(p.Data))
			case gitproto.FlushPacket:
				w.Flush()
			case gitproto.DelimPacket:
				w.Delim()
			case gitproto.ResponseEndPacket:
				again.WriteString("0002")
			}
			if used := input[:len(input)-in.Len()]; !bytes.EqualFold(used, again.Bytes()) {
				t.Fatalf("read %q as %q", used, again.Bytes())
			}
		}
	})
}

func BenchmarkReader(b *testing.B) {
	var input bytes.Buffer
	w := gitproto.NewWriter(&input)
	for range 1000 {
		w.Line("have 0123456789012345678901234567890123456789")
	}
	b.SetBytes(int64(input.Len()))
	b.ReportAllocs()
	for b.Loop() {
		r := gitproto.NewReader(bytes.NewReader(input.Bytes()), 1<<20)
		for {
			if _, err := r.Next(); err != nil {
				break
			}
		}
	}
}
