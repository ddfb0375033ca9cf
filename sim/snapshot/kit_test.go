package snapshot_test

import (
	"reflect"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/reference/core"
	"github.com/graspkit/graspkit/reference/instant"
	"github.com/graspkit/graspkit/scenarios"
	"github.com/graspkit/graspkit/sim"
	"github.com/graspkit/graspkit/sim/snapshot"
)

// eventKit shares events, which nobody changes.
func eventKit() *snapshot.Kit {
	return snapshot.NewKit(snapshot.Rules{ByID: reflect.TypeFor[*nostr.Event]()})
}

// A server that has seen something of everything.
func seasoned(t *testing.T, seed uint64) *core.Server {
	t.Helper()
	s, found, err := scenarios.Embedded("hunt_burst")
	if err != nil || !found {
		t.Fatalf("found %t, error %v", found, err)
	}
	s.Duration = min(s.Duration, 2*time.Minute)
	var server *core.Server
	steps := 0
	const enough = 400
	var seen *core.Server
	_, err = sim.Run(s, seed, sim.Options{Wrap: func(_ int, m core.Machine) core.Machine {
		server, _ = m.(*core.Server)
		return &watched{m, func() {
			if steps++; steps == enough {
				seen = snapshot.CopyOf(eventKit(), server)
			}
		}}
	}})
	if err != nil || seen == nil {
		t.Fatalf("error %v after %d steps, want %d", err, steps, enough)
	}
	return seen
}

// Every field counts: whatever is changed in a server, what a kit writes of it is changed, and a copy is not.
func TestKitForgetsNoField(t *testing.T) {
	server, k := seasoned(t, 1), eventKit()
	write := func(s *core.Server) string { return string(snapshot.Append(k, nil, s, nil)) }
	twin := snapshot.CopyOf(k, server)
	whole := write(server)
	if write(twin) != whole || snapshot.Text(twin) != snapshot.Text(server) {
		t.Fatal("the copy is not the original")
	}
	w := &walk{paths: map[string]int{}, seen: map[unsafe.Pointer]bool{}, changed: func(path string) {
		if write(server) == whole {
			t.Errorf("%s was changed, and what is written is the same", path)
		}
	}}
	w.through("Server", reflect.ValueOf(server))
	t.Logf("%d places changed, in %d bytes", w.places, len(whole))
	if write(twin) != whole {
		t.Error("a change of the original has changed the copy")
	}
	if write(server) != whole || w.places < 100 {
		t.Errorf("got %d places changed, want 100 at least and all of them put back", w.places)
	}
}

// A walk changes every place of a value that holds a number, a text or a truth, one after the other, and takes an entry out of
// every map.
type walk struct {
	seen    map[unsafe.Pointer]bool
	changed func(path string)
	paths   map[string]int // places by path
	places  int
}

func (w *walk) through(path string, v reflect.Value) {
	switch v.Kind() { //nolint:exhaustive // the others hold nothing
	case reflect.Pointer:
		if v.IsNil() || w.seen[v.UnsafePointer()] || v.Type() == reflect.TypeFor[*nostr.Event]() {
			return
		}
		w.seen[v.UnsafePointer()] = true
		w.through(path, v.Elem())
	case reflect.Interface:
		if !v.IsNil() && v.Elem().Kind() == reflect.Pointer {
			w.through(path, v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			w.through(path+"."+v.Type().Field(i).Name, opened(v.Field(i)))
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			w.through(path+"[]", opened(v.Index(i)))
		}
	case reflect.Map:
		for i, key := range v.MapKeys() {
			value := v.MapIndex(key)
			if i == 0 && w.paths[path] < pathsMax {
				v.SetMapIndex(key, reflect.Value{})
				w.told(path + "[-]")
				v.SetMapIndex(key, value)
			}
			w.through(path+"[]", value)
		}
	case reflect.String:
		w.set(path, v, reflect.ValueOf(v.String()+"x"))
	case reflect.Bool:
		w.set(path, v, reflect.ValueOf(!v.Bool()))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		w.set(path, v, reflect.ValueOf(v.Int()^1))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		w.set(path, v, reflect.ValueOf(v.Uint()^1))
	}
}

func (w *walk) set(path string, v, to reflect.Value) {
	if !v.CanSet() || w.paths[path] >= pathsMax {
		return // a value of a map, which is changed by its entry
	}
	was := reflect.New(v.Type()).Elem()
	was.Set(v)
	v.Set(to.Convert(v.Type()))
	w.told(path)
	v.Set(was)
}

// pathsMax is how many places of one path are changed.
const pathsMax = 2

func (w *walk) told(path string) {
	w.places++
	w.paths[strings.TrimSuffix(path, "[-]")]++
	w.changed(path)
}

// opened lets a field be set, whatever its name begins with.
func opened(v reflect.Value) reflect.Value {
	if !v.CanAddr() {
		return v
	}
	return reflect.NewAt(v.Type(), v.Addr().UnsafePointer()).Elem()
}

func TestKitRules(t *testing.T) {
	type inner struct{ N *int }
	type outer struct {
		Kept, Left int
		Shared     *inner
		Number     uint64
		Own        map[string]*inner
		Cycle      *outer
	}
	n, five := 1, 5
	v := &outer{Shared: &inner{&n}, Number: 7, Own: map[string]*inner{"a": {&five}}}
	v.Cycle = v
	k := snapshot.NewKit(snapshot.Rules{Same: []string{"outer.Shared"}, Unsaid: []string{"outer.Left", "outer.nowhere"}, Renamed: reflect.TypeFor[uint64]()})
	twin := snapshot.CopyOf(k, v)
	if twin.Shared != v.Shared || twin.Own["a"] == v.Own["a"] || twin.Own["a"].N == v.Own["a"].N || twin.Cycle != twin {
		t.Error("what is shared was copied, or what is not was shared")
	}
	write := func(v *outer, names map[uint64]uint64) string { return string(snapshot.Append(k, nil, v, names)) }
	before := write(v, map[uint64]uint64{7: 0})
	v.Left++
	v.Number = 9
	if write(v, map[uint64]uint64{9: 0}) != before {
		t.Error("got another text for another number of one name, and for what is unsaid")
	}
	if write(v, nil) == before || write(v, map[uint64]uint64{9: 1}) == before {
		t.Error("got one text for two names")
	}
	v.Kept++
	if write(v, map[uint64]uint64{9: 0}) == before {
		t.Error("got one text for two values")
	}
	if got := k.Unmet(); !reflect.DeepEqual(got, []string{"outer.nowhere"}) {
		t.Errorf("rules for fields that are nowhere: got %v", got)
	}
}

// watched tells of each step.
type watched struct {
	core.Machine
	after func()
}

func (w *watched) Step(now instant.Instant, in core.Input, out *core.Effects) {
	w.Machine.Step(now, in, out)
	w.after()
}
