package trace_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"math"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/reference/relay"
	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim/trace"
)

// What a step is made of: one of each type. That none is missing, the sources tell.
var (
	inputs = []any{
		core.Started{},
		core.ClockSet{},
		core.ConnOpened{},
		core.ConnClosed{},
		core.Message{},
		core.PushAsked{},
		core.PushForgone{},
		core.PushOffered{},
		core.PushDone{},
		core.EventsFound{},
		core.ObjectFacts{},
		core.RepositoryDone{},
		core.TimerFired{},
		core.Shutdown{},
		core.FetchDone{},
		core.Synced{},
		core.PeerOpened{},
		core.PeerSaid{},
		core.PeerClosed{},
		core.MembersRead{},
	}
	effects = []any{
		core.Record{},
		core.Send{},
		core.SearchEvents{},
		core.CloseConn{},
		core.PushExpected{},
		core.PushAdmitted{},
		core.PushRefused{},
		core.AskObjects{},
		core.CreateRepository{},
		core.RemoveRepository{},
		core.ReadRefs{},
		core.UpdateRefs{},
		core.CopyObjects{},
		core.TidyRepository{},
		core.CancelTidy{},
		core.Note{},
		core.StartFetch{},
		core.CancelFetch{},
		core.DialPeer{},
		core.SendPeer{},
		core.HangUp{},
		core.AnswerPeer{},
	}
	toServer = []any{
		relay.Event{},
		relay.Req{},
		relay.Close{},
		relay.Count{},
		relay.NegOpen{},
		relay.NegMessage{},
		relay.NegClose{},
		relay.Malformed{},
		relay.Auth{},
	}
	toClient = []any{
		relay.EventFor{Event: &nostr.Event{}},
		relay.OK{},
		relay.Unreadable{},
		relay.EOSE{},
		relay.Closed{},
		relay.Counted{},
		relay.NegAnswer{},
		relay.NegError{},
		relay.Challenge{},
		relay.Notice{},
	}
)

// implementors lists the types of a package that have a method, by its sources.
func implementors(t *testing.T, dir, method string) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, "*.go"))
	if err != nil {
		t.Fatal(err)
	}
	var found []string
	for _, name := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range file.Decls {
			f, is := d.(*ast.FuncDecl)
			if !is || f.Recv == nil || f.Name.Name != method {
				continue
			}
			receiver, is := f.Recv.List[0].Type.(*ast.Ident)
			if !is {
				t.Fatalf("%s: the receiver of %s is no type of its own", name, method)
			}
			found = append(found, file.Name.Name+"."+receiver.Name)
		}
	}
	slices.Sort(found)
	return found
}

func TestNoTypeIsForgotten(t *testing.T) {
	for _, c := range []struct {
		dir, method string
		known       []any
	}{
		{"../../reference/core", "input", inputs},
		{"../../reference/core", "effect", effects},
		{"../../reference/relay", "clientMessage", toServer},
		{"../../reference/relay", "serverMessage", toClient},
	} {
		var known []string
		for _, x := range c.known {
			known = append(known, reflect.TypeOf(x).String())
		}
		slices.Sort(known)
		if diff := cmp.Diff(implementors(t, c.dir, c.method), known); diff != "" {
			t.Errorf("types with the method %s (-sources +here):\n%s", c.method, diff)
		}
	}
}

// A changer changes one field of a value after the other, however deep, and reports each change.
type changer struct {
	leftOut map[string]bool // what has been met of it
	changed func(path string)
}

func (c *changer) change(path string, v reflect.Value) {
	v = reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem() // unexported fields too
	before := reflect.New(v.Type()).Elem()
	before.Set(v)
	defer v.Set(before)
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			name := v.Type().Field(i).Name
			if key := v.Type().String() + "." + name; trace.LeftOut[key] != "" {
				c.leftOut[key] = true
				continue
			}
			c.change(path+"."+name, v.Field(i))
		}
	case reflect.Pointer:
		if v.IsNil() {
			v.Set(reflect.New(v.Type().Elem()))
			c.changed(path)
		}
		c.change(path+"*", v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		c.changed(path)
		c.change(path+"[0]", v.Index(0))
	case reflect.Array:
		c.change(path+"[0]", v.Index(0))
		c.change(path+"[last]", v.Index(v.Len()-1))
	case reflect.Interface:
		for _, x := range slices.Concat(toServer, toClient) {
			if !reflect.TypeOf(x).Implements(v.Type()) {
				continue
			}
			own := reflect.New(reflect.TypeOf(x)).Elem()
			own.Set(reflect.ValueOf(x))
			as := path + "(" + own.Type().String() + ")"
			v.Set(own)
			c.changed(as)
			inner := changer{c.leftOut, func(path string) {
				v.Set(own)
				c.changed(path)
			}}
			inner.change(as, own)
		}
	default:
		switch v.Kind() {
		case reflect.String:
			v.SetString("x")
		case reflect.Bool:
			v.SetBool(true)
		case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
			v.SetInt(1)
		default:
			v.SetUint(1)
		}
		c.changed(path)
	}
}

// Whatever is changed of an input or an effect, at any depth, the hash is another one, and no two changes have the same.
func TestEveryFieldOfAStepCounts(t *testing.T) {
	seen, leftOut := map[string]string{}, map[string]bool{}
	for _, x := range slices.Concat(inputs, effects) {
		v := reflect.New(reflect.TypeOf(x)).Elem()
		c := changer{leftOut, func(path string) {
			tr := trace.New(nil)
			switch x := v.Interface().(type) {
			case core.Input:
				tr.Step(0, "", x, nil)
			case core.Effect:
				tr.Step(0, "", nil, []core.Effect{x})
			}
			if other, same := seen[tr.Sum()]; same {
				t.Errorf("%s hashes like %s", path, other)
			}
			seen[tr.Sum()] = path
		}}
		c.changed(v.Type().String())
		c.change(v.Type().String(), v)
	}
	if len(seen) < 300 {
		t.Errorf("got %d changes, want 300 at least", len(seen))
	}
	met, known := slices.Sorted(maps.Keys(leftOut)), slices.Sorted(maps.Keys(trace.LeftOut))
	if diff := cmp.Diff(known, met); diff != "" {
		t.Errorf("what is left out (-listed +met):\n%s", diff)
	}
}

func stepOf(at instant.Instant, host string, in core.Input, effects ...core.Effect) string {
	tr := trace.New(nil)
	tr.Step(at, host, in, effects)
	return tr.Sum()
}

// Where one value ends and the next begins counts.
func TestStepsHaveBounds(t *testing.T) {
	a, b := core.CloseConn{Conn: 1}, core.CloseConn{Conn: 2}
	seen := map[string]int{}
	for i, sum := range []string{
		stepOf(0, "a", core.TimerFired{}), stepOf(1, "a", core.TimerFired{}), stepOf(0, "b", core.TimerFired{}),
		stepOf(0, "a", core.TimerFired{}, a), stepOf(0, "a", core.TimerFired{}, a, b), stepOf(0, "a", core.TimerFired{}, b, a),
		stepOf(0, "a", core.TimerFired{}, core.CancelTidy{Request: 1}),
		stepOf(0, "a", core.ConnOpened{Challenge: "ab"}), stepOf(0, "a", core.ConnOpened{Conn: 'a', Challenge: "b"}),
		stepOf(0, "a", core.ObjectFacts{Missing: []repo.OID{"ab", "c"}}), stepOf(0, "a", core.ObjectFacts{Missing: []repo.OID{"a", "bc"}}),
	} {
		if other, same := seen[sum]; same {
			t.Errorf("step %d hashes like step %d", i, other)
		}
		seen[sum] = i
	}
}

// The hash depends on neither the machine nor how much is hashed at once.
func TestDeterminedByTheValuesAlone(t *testing.T) {
	type sized struct {
		Most, Least int
		Text        string
		Times       []uint64
	}
	tr := trace.New(nil)
	tr.Value(1, "server1", "saw", sized{math.MaxInt, -7, strings.Repeat("grasp", 10_000), []uint64{1, math.MaxUint64}})
	tr.Step(2, "server1", core.TimerFired{}, []core.Effect{core.Send{Conn: 1, Msg: relay.Notice{Text: strings.Repeat("x", 20_000)}}})
	if want := "332b5c571678988ba3c5cb13c64b3a35ec23c0ec498faf2ba0de82a9433b82c1"; tr.Sum() != want {
		t.Errorf("got %s, want %s", tr.Sum(), want)
	}
}

type shapeless struct{ Counts map[string]int }

// What has no order of its own must not get into the hash unnoticed.
func TestShapelessValuesAreRefused(t *testing.T) {
	defer func() {
		if text, _ := recover().(string); !strings.Contains(text, "a map[string]int has no form") {
			t.Errorf("got panic %q, want one that names the type", text)
		}
	}()
	trace.New(nil).Value(0, "", "saw", shapeless{})
}

// BenchmarkStep hashes a step in which an event is held and answered.
func BenchmarkStep(b *testing.B) {
	ev := &nostr.Event{
		ID: strings.Repeat("a", 64), PubKey: strings.Repeat("b", 64), Sig: strings.Repeat("c", 128), Kind: 30618,
		Tags: nostr.Tags{{"d", "repository1"}, {"refs/heads/main", strings.Repeat("d", 40)}, {"HEAD", "ref: refs/heads/main"}},
	}
	effects := []core.Effect{
		core.Record{Op: core.OpHold, ID: ev.ID, Event: ev, Arrived: 1, Deadline: 2},
		core.Send{Conn: 1, Msg: relay.OK{ID: ev.ID, Accepted: true}},
		core.Note{Fact: core.EventHeld, Event: ev.ID, Kind: ev.Kind, PubKey: ev.PubKey},
	}
	in := core.Message{Conn: 1, Msg: relay.Event{Event: ev, IDOK: true}, SigOK: true}
	t := trace.New(nil)
	b.ReportAllocs()
	for b.Loop() {
		t.Step(3, "server1", in, effects)
	}
}
