package timeline_test

import (
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/sim/timeline"
	"github.com/graspkit/graspkit/sim/trace"
)

const start = instant.Instant(1_000_000_000_000)

func at(second int) instant.Instant { return start.Add(time.Duration(second) * time.Second) }

// records are one of each that is drawn in its own way.
func records() []trace.Record {
	list := []trace.Record{
		{At: at(1), Host: "server2", Fact: "server_crashed"},
		{At: at(2), Host: "stranger1", Fact: "publish", Event: "stranger1/issue@1", Detail: "server1"},
		{At: at(3), Host: "owner1", Fact: "publish", Event: "owner1/state@1", Detail: "server2"},
		{At: at(4), Host: "server2", Fact: "message_lost", Detail: "server is down"},
		{At: at(5), Host: "server1", Fact: "event_held", Event: "owner1/state@1", Identifier: "repository1"},
		{At: at(6), Host: "owner1", Peer: "server1", Fact: "event_accepted_to_client", Event: "owner1/state@1"},
		{At: at(7), Host: "server1", Fact: "fetch_started", Identifier: "repository1", Detail: "http://git1.example/a.git"},
		{At: at(8), Host: "server2", Fact: "server_started", Count: 1},
		{At: at(9), Host: "owner1", Fact: "request_lost", Detail: "push"},
		{At: at(10), Host: "owner1", Fact: "message_lost", Detail: "server2"},
		{At: at(3_723), Host: "server1", Fact: "invariant_violated", Requirement: "INV-01", Detail: "served-without-data: <owner1/state@1>"},
		{At: at(3_724), Host: "world", Fact: "run_ended"},
	}
	for i := range list {
		list[i].Seq = uint64(i) + 1
	}
	return list
}

func filled(o timeline.Options) *timeline.Timeline {
	o.Start = start
	t := timeline.New(o)
	for _, r := range records() {
		t.Add(r)
	}
	return t
}

func TestText(t *testing.T) {
	const want = `
s1 server1, s2 server2, h1 git1.example, o1 owner1, x1 stranger1, w world, o happens, x lost, # ends, ^ starts,
! violated
time         s1 s2 h1 o1 x1 w
00:00:01.000 │  #  ·  ·  ·  ·   #1 server_crashed
00:00:02.000 │<----------o  ·   #2 publish stranger1/issue@1
00:00:03.000 │   <----o  ·  ·   #3 publish owner1/state@1
00:00:04.000 │  x  ·  ·  ·  ·   #4 message_lost server is down
00:00:05.000 o     ·  ·  ·  ·   #5 event_held owner1/state@1
00:00:06.000 │------->o  ·  ·   #6 event_accepted_to_client owner1/state@1
00:00:07.000 o---->·  ·  ·  ·   #7 fetch_started repository1 http://git1.example/a.git
00:00:08.000 │  ^  ·  ·  ·  ·   #8 server_started
00:00:09.000 │  │  ·  x  ·  ·   #9 request_lost push
00:00:10.000 │  │x----o  ·  ·   #10 message_lost
01:02:03.000 !  │  ·  ·  ·  ·   #11 VIOLATED INV-01 served-without-data: <owner1/state@1>
01:02:04.000 │  │  ·  ·  ·  o   #12 run_ended
`
	if diff := cmp.Diff(want, "\n"+filled(timeline.Options{}).Text(120)); diff != "" {
		t.Errorf("timeline (-want +got):\n%s", diff)
	}
}

// A part of a run knows what was before it, and shows a violation whatever nodes are asked for.
func TestPartOfARun(t *testing.T) {
	const want = `
s1 server1, s2 server2, h1 git1.example, o1 owner1, o happens, x lost, # ends, ^ starts, ! violated
time         s1 s2 h1 o1
00:00:05.000 o     ·  ·   #5 event_held owner1/state@1
00:00:06.000 │------->o   #6 event_accepted_to_client owner1/state@1
00:00:07.000 o---->·  ·   #7 fetch_started repository1 http://git1.example/a.git
00:00:08.000 │  ^  ·  ·   #8 server_started
00:00:09.000 │  │  ·  x   #9 request_lost push
00:00:10.000 │  │x----o   #10 message_lost
01:02:03.000 !  │  ·  ·   #11 VIOLATED INV-01 served-without-data: <owner1/state@1>
`
	part := filled(timeline.Options{From: 5 * time.Second, Until: 2 * time.Hour, Nodes: []string{"owner1", "server1", "server2"}})
	if diff := cmp.Diff(want, "\n"+part.Text(132)); diff != "" {
		t.Errorf("timeline (-want +got):\n%s", diff)
	}
	alone := filled(timeline.Options{Nodes: []string{"git1.example"}}).Text(132)
	if !strings.Contains(alone, "#7 ") || !strings.Contains(alone, "#11 VIOLATED") || strings.Contains(alone, "#6 ") {
		t.Errorf("git1.example alone: got\n%s", alone)
	}
	if got := filled(timeline.Options{Until: 2 * time.Second}).Rows(); got != 2 {
		t.Errorf("got %d records in the first two seconds, want 2", got)
	}
}

// However narrow the terminal and however many the nodes, no line is longer.
func TestTextFits(t *testing.T) {
	many := timeline.New(timeline.Options{Start: start})
	for i, r := range records() {
		many.Add(r)
		for n := range 60 {
			many.Add(trace.Record{At: r.At, Host: strings.Repeat("x", i+1) + string(rune('0'+n%10)), Fact: "publish", Detail: "server1"})
		}
	}
	for _, width := range []int{60, 80, 132} {
		text := many.Text(width)
		for line := range strings.Lines(text) {
			if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > width {
				t.Errorf("width %d: got a line of %d: %s", width, n, line)
			}
		}
		if !strings.Contains(text, " .. ") && !strings.Contains(text, " ..\n") || !strings.Contains(text, " others") {
			t.Errorf("width %d: got no lane for those without room:\n%.400s", width, text)
		}
	}
}

func TestSVG(t *testing.T) {
	picture := filled(timeline.Options{}).SVG("first <1>")
	elements := map[string]int{}
	decoder := xml.NewDecoder(strings.NewReader(picture))
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, picture)
		}
		if e, is := token.(xml.StartElement); is {
			class := ""
			for _, a := range e.Attr {
				if a.Name.Local == "class" || a.Name.Local == "marker-end" {
					class += " " + a.Value
				}
			}
			elements[e.Name.Local+class]++
		}
	}
	want := map[string]int{
		"line url(#a)": 5, "line lost": 10, "line down": 1, "line up": 3, "line lane": 4, "circle": 11, "rect wrong": 1, "text w": 2,
	}
	for name, n := range want {
		if elements[name] != n {
			t.Errorf("%s: got %d, want %d", name, elements[name], n)
		}
	}
	for _, text := range []string{"<title>first &lt;1&gt;</title>", ">server2</text>", ">git1.example</text>", "#11 VIOLATED INV-01", "&lt;owner1/state@1&gt;"} {
		if !strings.Contains(picture, text) {
			t.Errorf("got no %q", text)
		}
	}
	if strings.Contains(picture, "href") || strings.Contains(picture, "<script") {
		t.Error("got a picture that needs something else")
	}
}
