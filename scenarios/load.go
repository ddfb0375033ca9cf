package scenarios

import (
	"embed"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/goccy/go-yaml/ast"

	"github.com/graspkit/graspkit/internal/yamlfile"
	"github.com/graspkit/graspkit/sim/fault"
	"github.com/graspkit/graspkit/sim/invariant"
)

//go:embed *.yaml regress/*.yaml weak/*.yaml
var files embed.FS

// The limits of durations in a scenario.
const (
	DurationMin = time.Second
	DurationMax = 10_000 * time.Hour
	LatencyMax  = time.Minute
	LifeMax     = 24 * time.Hour
	FaultsMax   = 1000
	DiskMax     = time.Minute
	// BandwidthMax is in bytes a second.
	BandwidthMax = 1_000_000_000
)

// Names lists the embedded scenarios, sorted; "regress/..." are those that a bug has left
// behind, "weak/..." those of what is easily got wrong in syncing.
func Names() []string {
	var list []string
	for _, pattern := range []string{"*.yaml", "regress/*.yaml", "weak/*.yaml"} {
		found, err := fs.Glob(files, pattern)
		if err != nil {
			panic("scenarios: invariant: embedded folder: " + err.Error())
		}
		for _, path := range found {
			list = append(list, strings.TrimSuffix(path, ".yaml"))
		}
	}
	slices.Sort(list)
	return list
}

// Embedded reads the embedded scenario of that name; false if there is none.
func Embedded(name string) (Scenario, bool, error) {
	data, found := Text(name)
	if !found {
		return Scenario{}, false, nil
	}
	s, err := Parse(name+".yaml", data)
	return s, true, err
}

// Text is the text of the embedded scenario of that name; false if there is none.
func Text(name string) ([]byte, bool) {
	if !slices.Contains(Names(), name) {
		return nil, false
	}
	data, err := files.ReadFile(name + ".yaml")
	if err != nil {
		panic("scenarios: invariant: embedded folder: " + err.Error())
	}
	return data, true
}

// Parse reads a scenario. The file name is used in errors only, which are of type *Error wherever a place is known.
func Parse(file string, data []byte) (Scenario, error) {
	root, err := document(file, data)
	if err != nil {
		return Scenario{}, err
	}
	r := &reader{file: file}
	var s Scenario
	err = r.mapping("the scenario", root, []field{
		{"name", true, r.text(&s.Name, 64, "a word of lower-case letters, digits, dashes and underscores", isName)},
		{"description", false, r.text(&s.Description, 1000, "a sentence", func(string) bool { return true })},
		{"duration", true, r.duration(&s.Duration, DurationMin, DurationMax)},
		{"servers", true, r.count(&s.Servers, 20)},
		{"origin", false, r.text(&s.Origin, 100, originRule, isOrigin)},
		{"repositories", false, r.count(&s.Repositories, 1000)},
		{"actors", false, r.actors(&s)},
		{"people", false, r.people(&s.People)},
		{"links", false, r.links("links", &s.Links)},
		{"constants", false, func(n ast.Node) error {
			return r.mapping("constants", n, []field{
				{"purgatory_life", false, r.duration(&s.Constants.PurgatoryLife, time.Second, LifeMax)},
				{"held_max", false, r.count(&s.Constants.HeldMax, 1_000_000)},
				{"held_bytes_max", false, r.count(&s.Constants.HeldBytesMax, 1_000_000_000)},
				{"held_per_key_max", false, r.count(&s.Constants.HeldPerKeyMax, 1_000_000)},
				{"held_bytes_per_key_max", false, r.count(&s.Constants.HeldBytesPerKeyMax, 1_000_000_000)},
				{"stored_max", false, r.count(&s.Constants.StoredMax, 1_000_000)},
				{"stored_bytes_max", false, r.count(&s.Constants.StoredBytesMax, 1_000_000_000)},
				{"placeholders_max", false, r.count(&s.Constants.PlaceholdersMax, 1_000_000)},
				{"tombstones_max", false, r.count(&s.Constants.TombstonesMax, 1_000_000)},
				{"expired_max", false, r.count(&s.Constants.ExpiredMax, 1_000_000)},
				{"search_at_once", false, r.count(&s.Constants.SearchAtOnce, 1_000_000)},
			})
		}},
		{"disk", false, func(n ast.Node) error {
			return r.mapping("disk", n, []field{
				{"journal", false, r.duration(&s.Disk.Journal, 1, DiskMax)}, {"order", false, r.duration(&s.Disk.Order, 1, DiskMax)},
			})
		}},
		{"rules", false, r.rules(&s.Rules)},
		{"faults", false, r.faults(&s)},
		{"hosts", false, r.hosts(&s)},
		{"relays", false, r.relays(&s)},
		{"hunt", false, r.hunt(&s.Hunt)},
		{"arrivals", false, r.arrivals(&s.Arrivals)},
		{"sync", false, r.sync(&s.Sync)},
		{"seed", false, r.seed(&s.Seed)},
		{"only", false, r.only(&s.Only)},
		{"invariants", true, r.invariants(&s.Invariants)},
	})
	if err != nil {
		return Scenario{}, err
	}
	if slices.Contains(s.Invariants, AllInvariants) {
		s.Invariants = s.everyInvariant()
	}
	if err := r.checkWork(root, s); err != nil {
		return Scenario{}, err
	}
	if err := r.checkRelays(root, s); err != nil {
		return Scenario{}, err
	}
	if err := r.checkRules(root, s); err != nil {
		return Scenario{}, err
	}
	return s, r.checkFaults(root, s)
}

// AllInvariants in place of a list of invariants stands for every one that the scenario can put to the test.
const AllInvariants = "all"

// everyInvariant leaves out those of hunts, of syncs and of further members of the family where nobody does that, and that of orderly
// ends where there is none.
func (s Scenario) everyInvariant() []string {
	ids := invariant.All()
	if !slices.ContainsFunc(s.Faults, func(f fault.Fault) bool { return f.Do == fault.Stop }) {
		ids = slices.DeleteFunc(ids, func(id string) bool { return id == "INV-25" })
	}
	if s.Hunt.Bound > 0 {
		ids = append(ids, invariant.HuntIDs()...)
	}
	if s.Sync.Bound > 0 {
		ids = append(ids, invariant.SyncIDs()...)
	}
	if s.Rules.Contributors != nil {
		ids = append(ids, "INV-42")
	}
	if s.Rules.Private != nil {
		ids = append(ids, "INV-43")
	}
	if s.Rules.Archive != nil {
		ids = append(ids, "INV-44")
	}
	return slices.Sorted(slices.Values(ids))
}

func isName(s string) bool {
	for i := range len(s) {
		if c := s[i]; (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '-' && c != '_' {
			return false
		}
	}
	return s != ""
}

func (r *reader) actors(s *Scenario) func(ast.Node) error {
	return func(n ast.Node) error {
		role := func(name string, a *Actor) field {
			return field{name, false, func(n ast.Node) error {
				return r.mapping("actor "+name, n, []field{
					{"every", true, r.duration(&a.Every, DurationMin, DurationMax)},
				})
			}}
		}
		err := r.mapping("actors", n, []field{
			role("owner", &s.Owner), role("maintainer", &s.Maintainer), role("stranger", &s.Stranger),
		})
		if err == nil && s.Owner == (Actor{}) && s.Maintainer == (Actor{}) && s.Stranger == (Actor{}) {
			return yamlfile.At(r.file, n, "no actor at all", "add owner, maintainer or stranger")
		}
		return err
	}
}

// links reads the quality of ways.
func (r *reader) links(what string, l *Links) func(ast.Node) error {
	return func(n ast.Node) error {
		return r.mapping(what, n, []field{
			{"latency", false, r.duration(&l.Latency, 0, LatencyMax)},
			{"jitter", false, r.duration(&l.Jitter, 0, LatencyMax)},
			{"tail", false, r.share(&l.Tail, ShareMax)},
			{"tail_delay", false, r.duration(&l.TailDelay, 0, LatencyMax)},
			{"bandwidth", false, r.bytes(&l.Bandwidth)},
			{"loss", false, r.share(&l.Loss, ShareMax)},
			{"duplicate", false, r.share(&l.Duplicate, ShareMax)},
		})
	}
}

// bytes reads how many bytes a second pass.
func (r *reader) bytes(out *int64) func(ast.Node) error {
	return func(n ast.Node) error {
		var count int
		err := r.count(&count, BandwidthMax)(n)
		*out = int64(count)
		return err
	}
}

// invariants reads a list of known ids, each at most once.
func (r *reader) invariants(out *[]string) func(ast.Node) error {
	known := slices.Sorted(slices.Values(slices.Concat(invariant.All(), invariant.HuntIDs(), invariant.SyncIDs(), invariant.FamilyIDs())))
	hint := "use " + strings.Join(known, ", ")
	return func(n ast.Node) error {
		if word, is := scalar(n); is && word == AllInvariants {
			*out = []string{AllInvariants}
			return nil
		}
		list, ok := n.(*ast.SequenceNode)
		if !ok {
			return yamlfile.At(r.file, n, "invariants is "+yamlfile.Describe(n), "write "+AllInvariants+", or a list: "+hint)
		}
		*out = []string{}
		for _, v := range list.Values {
			id, ok := scalar(v)
			if !ok || !slices.Contains(known, id) {
				return yamlfile.At(r.file, v, "unknown invariant "+v.String(), hint)
			}
			if slices.Contains(*out, id) {
				return yamlfile.At(r.file, v, "invariant "+id+" appears twice", "keep one of them")
			}
			*out = append(*out, id)
		}
		return nil
	}
}
