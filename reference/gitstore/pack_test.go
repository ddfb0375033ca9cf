package gitstore_test

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"encoding/hex"
	"testing"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// A rawPack builds packs with deltas, which WritePack never writes.
type rawPack struct {
	bytes.Buffer
	count byte
}

func (p *rawPack) entry(kind int, head, data []byte) int {
	start := 12 + p.Len()
	p.count++
	size := len(data)
	b := byte(kind)<<4 | byte(size&15)
	for size >>= 4; size > 0; size >>= 7 {
		p.WriteByte(b | 0x80)
		b = byte(size & 0x7f)
	}
	p.WriteByte(b)
	p.Write(head)
	z := zlib.NewWriter(p)
	z.Write(data)
	z.Close()
	return start
}

func (p *rawPack) pack() []byte {
	all := append([]byte{'P', 'A', 'C', 'K', 0, 0, 0, 2, 0, 0, 0, p.count}, p.Bytes()...)
	sum := sha1.Sum(all)
	return append(all, sum[:]...)
}

func rawID(tb testing.TB, oid repo.OID) []byte {
	tb.Helper()
	id, err := hex.DecodeString(string(oid))
	if err != nil {
		tb.Fatal(err)
	}
	return id
}

// appendDelta makes the delta that appends text to a base of fewer than 128 bytes.
func appendDelta(base, text string) []byte {
	d := []byte{byte(len(base)), byte(len(base) + len(text)), 0x90, byte(len(base)), byte(len(text))}
	return append(d, text...)
}

const (
	ofsDelta = 6
	refDelta = 7
)

func TestDeltas(t *testing.T) {
	blob := func(text string) gitstore.Object { return gitstore.NewBlob([]byte(text)) }
	thin, base := blob("thin base "), blob("base ")
	var p rawPack
	// A delta whose base comes later, a chain of offset deltas, and a delta on an object that only the server has.
	p.entry(refDelta, rawID(t, blob("base 1").OID()), appendDelta("base 1", "!"))
	start := p.entry(3, nil, base.Data)
	next := p.entry(ofsDelta, []byte{byte(12 + p.Len() - start)}, appendDelta("base ", "1"))
	p.entry(ofsDelta, []byte{byte(12 + p.Len() - next)}, appendDelta("base 1", "2"))
	p.entry(refDelta, rawID(t, thin.OID()), appendDelta("thin base ", "x"))
	p.entry(refDelta, rawID(t, blob("thin base x").OID()), appendDelta("thin base x", "y"))
	m := newMemory(t, gitstore.Limits{})
	if err := m.Put(testID, thin); err != nil {
		t.Fatal(err)
	}
	var commands []gitproto.Command
	for i, text := range []string{"base ", "base 1", "base 1!", "base 12", "thin base x", "thin base xy"} {
		commands = append(commands, create("refs/tags/"+string(rune('a'+i)), blob(text).OID()))
	}
	report := receive(t, m, p.pack(), commands...)
	for _, result := range report.Results {
		if !result.OK {
			t.Errorf("%s: got %q", result.Ref, result.Reason)
		}
	}
	if report.Unpack != gitstore.UnpackOK {
		t.Errorf("unpack: got %q", report.Unpack)
	}
}

func TestDeltasThatAreRefused(t *testing.T) {
	base := gitstore.NewBlob([]byte("base "))
	for _, test := range []struct {
		name  string
		delta []byte
		id    repo.OID
	}{
		{"no base", appendDelta("base ", "1"), gitstore.NewBlob([]byte("none")).OID()},
		{"wrong base size", appendDelta("base", "1"), base.OID()},
		{"copy beyond the base", []byte{5, 6, 0x91, 1, 6}, base.OID()},
		{"longer than announced", []byte{5, 1, 2, 'a', 'b'}, base.OID()},
		{"shorter than announced", []byte{5, 3, 1, 'a'}, base.OID()},
		{"insert beyond the delta", []byte{5, 3, 3, 'a'}, base.OID()},
		{"reserved", []byte{5, 1, 0}, base.OID()},
		{"no sizes", []byte{0x80, 0x80}, base.OID()},
		{"bomb", append([]byte{5, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f}, 0x90, 5), base.OID()},
	} {
		var p rawPack
		p.entry(3, nil, base.Data)
		p.entry(refDelta, rawID(t, test.id), test.delta)
		m := newMemory(t, gitstore.Limits{InflatedMax: 1 << 20})
		if report := receive(t, m, p.pack(), create("refs/tags/a", base.OID())); report.Unpack == gitstore.UnpackOK {
			t.Errorf("%s: got the pack unpacked, want a refusal", test.name)
		}
	}
	var cyclic rawPack
	cyclic.entry(ofsDelta, []byte{0}, appendDelta("base ", "1"))
	m := newMemory(t, gitstore.Limits{})
	if report := receive(t, m, cyclic.pack(), create("refs/tags/a", base.OID())); report.Unpack == gitstore.UnpackOK {
		t.Error("delta on itself: got the pack unpacked, want a refusal")
	}
}

// Whatever a client sends: no panic, and nothing of a refused pack is there afterwards.
func FuzzReceive(f *testing.F) {
	all, tips := history(2)
	f.Add(packOf(f, all...))
	var p rawPack
	p.entry(3, nil, []byte("base "))
	p.entry(ofsDelta, []byte{byte(p.Len())}, appendDelta("base ", "1"))
	f.Add(p.pack())
	f.Fuzz(func(t *testing.T, pack []byte) {
		m := newMemory(t, gitstore.Limits{InflatedMax: 1 << 20, ObjectMax: 1000})
		report := receive(t, m, pack, create("refs/heads/main", tips[1]))
		missing, err := m.Missing(testID, []repo.OID{tips[1]})
		if err != nil || (len(missing) == 0) != report.Results[0].OK {
			t.Errorf("report %+v, missing %v, %v", report, missing, err)
		}
	})
}
