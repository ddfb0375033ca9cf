package trace_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/sim/trace"
)

// What is written is read again, with names in place of ids, also within texts.
func TestReadWhatIsWritten(t *testing.T) {
	id := strings.Repeat("ab", 32)
	names := trace.NewNames()
	oid := id[:40]
	names.Give(id, "owner1/state@1")
	names.Give(oid, "repository1/object@1")
	var file strings.Builder
	w := trace.NewWriter(&file, names)
	tr := trace.New(w.Write)
	tr.Add(trace.Record{Host: "server1", Fact: "event_held", Event: id, Detail: "of " + id + ", " + oid + "."})
	tr.Add(trace.Record{Host: "world", Fact: "run_ended"})
	var got []trace.Record
	if err := trace.Read(strings.NewReader(file.String()), func(r trace.Record) {
		r.Hash = ""
		got = append(got, r)
	}); err != nil {
		t.Fatal(err)
	}
	want := []trace.Record{
		{Seq: 1, Host: "server1", Fact: "event_held", Event: "owner1/state@1", Detail: "of owner1/state@1, repository1/object@1."},
		{Seq: 2, Host: "world", Fact: "run_ended"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("records (-want +got):\n%s", diff)
	}
	header, _, _ := strings.Cut(file.String(), "\n")
	for text, want := range map[string]string{
		"":                            "line 1: it is not ",
		`{"seq":1,"fact":"a"}` + "\n": "line 1: it is not ",
		header + "\n\n":               "line 2: no record of a trace: unexpected end",
		header + "\n{}\n":             "line 2: no record of a trace: it has no seq or no fact",
		header + "\n" + strings.Repeat("x", trace.LineMax+1): "read trace: ",
	} {
		if err := trace.Read(strings.NewReader(text), func(trace.Record) {}); err == nil || !strings.HasPrefix(err.Error(), want) {
			t.Errorf("%.60q: got error %v, want %s", text, err, want)
		}
	}
}
