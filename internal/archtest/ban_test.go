package archtest_test

import "strings"

// A ban says what a pure room may not import, with the reason. The tree below Path is banned too
// unless Exact is set.
type ban struct {
	Path  string
	Exact bool
	But   []string
	Why   string
}

const (
	noIO        = "a pure room performs no I/O"
	noClock     = "instants arrive as arguments"
	noRandom    = "randomness and identity arrive as inputs"
	noLock      = "one goroutine owns a core, so there is nothing to lock, to wait for or to cancel"
	noHost      = "a pure room does not look at the machine"
	noShellGit  = "git over sockets or on disk belongs to the shells"
	gitMapOrder = "it answers in map order: walk the objects with gitstore"
)

// bannedImports lists what a pure room may not import outside its tests.
var bannedImports = []ban{
	{Path: "net", But: []string{"net/url", "net/netip"}, Why: noIO},
	{Path: "os", Why: noIO},
	{Path: "syscall", Why: noIO},
	{Path: "log", Why: "the core returns notes; the shell logs them"},
	{Path: "sync", Why: noLock},
	{Path: "context", Why: noLock},
	{Path: "runtime", Why: noHost},
	{Path: "unsafe", Why: noHost},
	{Path: "plugin", Why: noHost},
	{Path: "math/rand", Why: noRandom},
	{Path: "crypto/rand", Why: noRandom},
	{Path: "hash/maphash", Why: noRandom},
	{Path: "golang.org/x/exp", Why: "its maps package answers in map order; the standard library has slices and maps"},
	{Path: "golang.org/x/sync", Why: noLock},
	{Path: "github.com/benbjohnson/clock", Why: noClock},
	{Path: "github.com/coder/websocket", Why: noIO},
	{Path: "github.com/spf13/cobra", Why: "only commands know arguments"},
	{Path: "go.etcd.io/bbolt", Why: noIO},
	{Path: "github.com/go-git/go-git/v5", Exact: true, Why: "the porcelain fills in times and reads configuration"},
	{Path: "github.com/go-git/go-git/v5/plumbing/revlist", Why: gitMapOrder},
	{Path: "github.com/go-git/go-git/v5/plumbing/transport", Why: noShellGit},
	{Path: "github.com/go-git/go-git/v5/storage/filesystem", Why: noShellGit},
	{Path: "github.com/nbd-wtf/go-nostr/nip34", Why: "it loses tags, ranges over maps and reads the clock: build and parse the events with sorted refs"},
	{Path: "github.com/nbd-wtf/go-nostr/nip77", Why: "it is not made for untrusted input and uses channels"},
}

// banOf returns the reason why a pure room may not import the path.
func banOf(importPath string) (why string, banned bool) {
	for _, b := range bannedImports {
		if b.Exact && importPath == b.Path || !b.Exact && within(importPath, b.Path) && !withinAny(importPath, b.But) {
			return b.Why, true
		}
	}
	return "", false
}

// bannedFuncs lists functions and methods, by their full name, that a pure room may not mention outside
// its tests, with what to do instead. The functions of package time are judged by timeFuncs.
var bannedFuncs = map[string]string{
	"(time.Time).In":    "instants arrive as arguments; a zone is for display",
	"(time.Time).Local": "it reads the zone of the machine",

	"fmt.Print":   "return the text",
	"fmt.Printf":  "return the text",
	"fmt.Println": "return the text",

	"iter.Pull":  "it runs a coroutine: range over the sequence",
	"iter.Pull2": "it runs a coroutine: range over the sequence",

	"(reflect.Value).MapKeys":  "it answers in map order",
	"(reflect.Value).MapRange": "it answers in map order",
	"(reflect.Value).Seq":      "it may answer in map order",
	"(reflect.Value).Seq2":     "it may answer in map order",

	"github.com/nbd-wtf/go-nostr.GeneratePrivateKey":                              noRandom,
	"github.com/nbd-wtf/go-nostr.Now":                                             noClock,
	"github.com/nbd-wtf/go-nostr.NewRelay":                                        noIO,
	"github.com/nbd-wtf/go-nostr.NewSimplePool":                                   noIO,
	"github.com/nbd-wtf/go-nostr.RelayConnect":                                    noIO,
	"(github.com/nbd-wtf/go-nostr.Filters).String":                                "one filter has several spellings",
	"(github.com/nbd-wtf/go-nostr.Filter).String":                                 "one filter has several spellings",
	"github.com/nbd-wtf/go-nostr/nip42.ValidateAuthEvent":                         "it reads the clock: compare with the instant that arrived",
	"github.com/go-git/go-git/v5/plumbing/protocol/packp/capability.DefaultAgent": "it reads the environment: set the agent",
	"(*github.com/go-git/go-git/v5/storage/memory.IndexStorage).SetIndex":         "it reads the clock",
}

// timeFuncs lists the functions of package time that any pure room may call.
var timeFuncs = []string{"ParseDuration"}

// gitTimeFuncs lists those that the pure git rooms may call besides: they make a value from numbers.
var gitTimeFuncs = []string{"Unix", "FixedZone"}

// mapOrder reports whether the function of package maps yields its sequence in map order.
func mapOrder(fullName string) bool {
	return fullName == "maps.Keys" || fullName == "maps.Values" || fullName == "maps.All"
}

// sorts reports whether the function brings a sequence into order.
func sorts(fullName string) bool { return strings.HasPrefix(fullName, "slices.Sorted") }
