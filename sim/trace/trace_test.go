package trace_test

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/sim/trace"
)

func sum(records ...trace.Record) string {
	t := trace.New(nil)
	for _, r := range records {
		t.Add(r)
	}
	return t.Sum()
}

// Every field must count: a field that the hash leaves out hides what differs in it.
func TestEveryFieldCounts(t *testing.T) {
	base := sum(trace.Record{})
	seen := map[string]string{base: "nothing"}
	for i := range reflect.TypeFor[trace.Record]().NumField() {
		field := reflect.TypeFor[trace.Record]().Field(i)
		if field.Name == "Seq" || field.Name == "Hash" {
			continue // given by Add; TestOrderCounts, TestRecordsCarryTheHash
		}
		var r trace.Record
		switch v := reflect.ValueOf(&r).Elem().Field(i); v.Kind() {
		case reflect.String:
			v.SetString("x")
		case reflect.Uint64:
			v.SetUint(1)
		default:
			v.SetInt(1)
		}
		got := sum(r)
		if other, ok := seen[got]; ok {
			t.Errorf("a record with %s hashes like one with %s", field.Name, other)
		}
		seen[got] = field.Name
	}
}

func TestOrderCounts(t *testing.T) {
	a, b := trace.Record{Fact: "a"}, trace.Record{Fact: "b"}
	if sum(a, b) == sum(b, a) {
		t.Error("got one hash for two orders, want two")
	}
	if again := sum(a, b); again != sum(a, b) {
		t.Error("got two hashes for one history, want one")
	}
	if got := len(sum()); got != 64 {
		t.Errorf("got a hash of %d digits, want 64", got)
	}
}

func TestWriterUsesNames(t *testing.T) {
	names := trace.NewNames()
	names.Give("aa", "owner1/state@1")
	names.Give("aa", "second")
	names.Give("bb", "owner1")
	var out strings.Builder
	w := trace.NewWriter(&out, names)
	w.Write(trace.Record{At: 5, Seq: 1, Hash: "ab", Host: "server1", Fact: "event_held", Event: "aa", Owner: "bb", Kind: 30618})
	w.Write(trace.Record{At: 6, Seq: 2, Hash: "cd", Host: "server1", Fact: "push_refused", Event: "cc", Detail: "a <b>", Count: 2})
	want := `{"format":"grasp-sim trace","version":1}
{"at":5,"seq":1,"host":"server1","fact":"event_held","event":"owner1/state@1","kind":30618,"owner":"owner1","hash":"ab"}
{"at":6,"seq":2,"host":"server1","fact":"push_refused","event":"cc","detail":"a <b>","count":2,"hash":"cd"}
`
	if diff := cmp.Diff(want, out.String()); diff != "" {
		t.Errorf("trace file (-want +got):\n%s", diff)
	}
	if w.Err() != nil {
		t.Errorf("got error %v, want none", w.Err())
	}
}

type brokenDisk struct{}

func (brokenDisk) Write([]byte) (int, error) { return 0, errors.New("disk full") }

func TestWriterKeepsItsError(t *testing.T) {
	w := trace.NewWriter(brokenDisk{}, trace.NewNames())
	w.Write(trace.Record{Seq: 1})
	w.Write(trace.Record{Seq: 2})
	if err := w.Err(); err == nil || !strings.Contains(err.Error(), "first line of trace: disk full") {
		t.Errorf("got error %v, want that of the first line", err)
	}
}

// What no record tells is seen in the next one.
func TestRecordsCarryTheHash(t *testing.T) {
	hashes := func(text string) (all []string) {
		tr := trace.New(func(r trace.Record) { all = append(all, r.Hash) })
		tr.Add(trace.Record{Fact: "a"})
		tr.Value(0, "", "saw", text)
		tr.Add(trace.Record{Fact: "b", Hash: text})
		if whole := tr.Sum(); len(all[1]) != trace.HashDigits || !strings.HasPrefix(whole, all[1]) {
			t.Errorf("got hash %s in the last record, want the first %d digits of %s", all[1], trace.HashDigits, whole)
		}
		return all
	}
	if a, b := hashes("x"), hashes("y"); a[0] != b[0] || a[1] == b[1] {
		t.Errorf("got hashes %v and %v, want the first alike and the second not", a, b)
	}
}

func TestDiffReadsWhatAWriterWrites(t *testing.T) {
	written := func(facts ...string) *strings.Reader {
		var out strings.Builder
		tr := trace.New(trace.NewWriter(&out, trace.NewNames()).Write)
		for _, fact := range facts {
			tr.Add(trace.Record{Fact: fact})
		}
		return strings.NewReader(out.String())
	}
	d, differ, err := trace.Diff(written("a", "b"), written("a", "c"))
	if err != nil || !differ || d.Line != 2 || !strings.Contains(d.A, `"fact":"b"`) {
		t.Errorf("got %+v, %t and error %v, want a difference in record 2", d, differ, err)
	}
	if d, differ, err := trace.Diff(written("a"), written("a")); err != nil || differ {
		t.Errorf("got %+v, %t and error %v, want no difference", d, differ, err)
	}
}

func TestDiffFindsTheFirstDifference(t *testing.T) {
	for _, c := range []struct {
		name, a, b string
		want       trace.Difference
		differ     bool
	}{
		{"equal", "1\n2\n", "1\n2\n", trace.Difference{Line: 2, Before: []string{"1", "2"}}, false},
		{"both empty", "", "", trace.Difference{}, false},
		{"second line", "1\n2\n3\n", "1\nx\n3\n", trace.Difference{Line: 2, A: "2", B: "x", Before: []string{"1"}}, true},
		{"first ends", "1\n", "1\n2\n", trace.Difference{Line: 2, B: "2", Before: []string{"1"}}, true},
		{"second ends", "1\n2\n", "1\n", trace.Difference{Line: 2, A: "2", Before: []string{"1"}}, true},
		{"late", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\na\n", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\nb\n", trace.Difference{
			Line: 13, A: "a", B: "b", Before: []string{"3", "4", "5", "6", "7", "8", "9", "10", "11", "12"},
		}, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			got, differ, err := trace.Diff(strings.NewReader(c.a), strings.NewReader(c.b))
			if err != nil || differ != c.differ {
				t.Fatalf("got %v and error %v, want %v", differ, err, c.differ)
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("difference (-want +got):\n%s", diff)
			}
		})
	}
	long := strings.Repeat("x", trace.LineMax+1)
	if _, _, err := trace.Diff(strings.NewReader("1\n"), strings.NewReader(long)); err == nil {
		t.Error("line over the limit: got no error")
	}
}

func BenchmarkAdd(b *testing.B) {
	t := trace.New(nil)
	r := trace.Record{
		Host: "server1", Fact: "event_held", Kind: 30618, Identifier: "repository1",
		Event: strings.Repeat("a", 64), Owner: strings.Repeat("b", 64), Requirement: "G01-PURG-02",
	}
	b.ReportAllocs()
	for b.Loop() {
		t.Add(r)
	}
}
