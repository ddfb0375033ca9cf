package main

import (
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/pflag"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/livetarget"
)

var rewrite = flag.Bool("rewrite", false, "write docs/settings.md anew")

// serveFlagSet returns the settings and the flags that set them.
func serveFlagSet() (*serveFlags, *pflag.FlagSet) {
	f, flags := defaultFlags(), pflag.NewFlagSet("serve", pflag.ContinueOnError)
	f.register(flags)
	return &f, flags
}

// The list of settings in docs is made from the flags.
func TestSettingsAreListed(t *testing.T) {
	_, flags := serveFlagSet()
	var doc strings.Builder
	doc.WriteString("# Settings of the reference server\n\n" +
		"Each setting of `grasp-sim serve` is a flag or a variable of the environment; a flag wins. A wrong value ends with exit\n" +
		"code 2 and says what is allowed. This list is made from the flags: `go test ./cmd/grasp-sim -run SettingsAreListed -rewrite`.\n\n" +
		"| flag | environment | default | what it is |\n| --- | --- | --- | --- |\n")
	flags.VisitAll(func(f *pflag.Flag) {
		what, usage := pflag.UnquoteUsage(f)
		def := f.DefValue
		if def == "" {
			def = " "
		} else {
			def = " `" + def + "` "
		}
		if what != "" {
			what = " " + strings.ToUpper(what)
		}
		doc.WriteString("| `--" + f.Name + what + "` | `" + environmentName(f.Name) + "` |" + def + "| " + usage + " |\n")
	})
	path := filepath.Join("..", "..", "docs", "settings.md")
	if *rewrite {
		if err := os.WriteFile(path, []byte(doc.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(doc.String(), string(got)); diff != "" {
		t.Errorf("docs/settings.md (-flags +file); write it anew with -rewrite:\n%s", diff)
	}
}

// What the help shows as a default can be given, and is what it was.
func TestDefaultsCanBeGiven(t *testing.T) {
	_, flags := serveFlagSet()
	flags.VisitAll(func(f *pflag.Flag) {
		if f.DefValue == "" {
			return
		}
		if err := f.Value.Set(f.DefValue); err != nil || f.Value.String() != f.DefValue {
			t.Errorf("--%s %s: got %q, %v", f.Name, f.DefValue, f.Value, err)
		}
	})
}

func TestEnvironment(t *testing.T) {
	f, flags := serveFlagSet()
	if err := flags.Parse([]string{"--memory", "--hunt-rate", "7"}); err != nil {
		t.Fatal(err)
	}
	unknown, err := fromEnvironment(flags, []string{
		"PATH=/bin", "GRASP_HUNT_RATE=9", "GRASP_SOFT_LIFE=36h", "GRASP_STORED_BYTES=768MiB", "GRASP_HUNT=true", "GRASP_DATA=here",
		"GRASP_NAME=", "GRASP_PORT=tcp://here", "GRASP_HELD=12",
	})
	if err != nil || !slices.Equal(unknown, []string{"GRASP_PORT"}) {
		t.Errorf("environment: got %v, %v, want GRASP_PORT told as unknown", unknown, err)
	}
	for name, ok := range map[string]bool{
		"a flag wins":                          f.core.Hunt.Rate == 7,
		"a time is read":                       f.core.SoftLife == 36*time.Hour,
		"a size is read":                       f.core.StoredBytesMax == 768<<20,
		"a switch is read":                     f.core.Hunt.On,
		"a count is read":                      f.core.HeldMax == 12,
		"a flag excludes what contradicts it":  f.data == "",
		"nothing is no value":                  f.name == defaultFlags().name,
		"what is given in it counts as given":  flags.Lookup("held").Changed,
		"what is not given keeps its default":  f.core.ExpiredMax == defaultFlags().core.ExpiredMax,
		"what is ignored does not count as so": !flags.Lookup("data").Changed,
	} {
		if !ok {
			t.Errorf("%s: got otherwise: %+v", name, *f)
		}
	}
}

// What is set reaches the document.
func TestSettingsAreServed(t *testing.T) {
	t.Setenv("GRASP_NAME", "another name")
	t.Setenv("GRASP_MIN_WORK", "3")
	s := begin(t, "--memory", "--filter-bytes", "5MiB", "--description", "another word")
	var document struct {
		Name, Description string
		Limitation        map[string]any
	}
	s.document(t, &document)
	if document.Name != "another name" || document.Description != "another word" ||
		document.Limitation["max_filter_bytes"] != 5.0*(1<<20) || document.Limitation["min_pow_difficulty"] != 3.0 {
		t.Errorf("document: got %+v", document)
	}
}

// Whom the lists keep out hears why, and the document says that not everybody is hosted.
func TestListsKeepOut(t *testing.T) {
	author, owner, guest := client.NewKey("lists", "author"), client.NewKey("lists", "owner"), client.NewKey("lists", "guest")
	file := filepath.Join(t.TempDir(), "authors")
	if err := os.WriteFile(file, []byte("# kept out\n\n"+author.Npub+" # by name\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	t.Setenv("GRASP_EVENT_BLACKLIST", "@"+file)
	s := begin(t, "--memory", "--repo-whitelist", guest.Npub+","+author.Npub, "--repo-whitelist", owner.Npub+"/two%20words")
	live, err := livetarget.New(s.url, livetarget.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := client.New(live, client.Options{})
	r, o := c.Relay(t.Context())
	if o != nil {
		t.Fatal(o)
	}
	defer r.Close()
	for _, test := range []struct {
		key        client.Key
		identifier string
		prefix     string
		text       string
	}{
		{author, "demo", "blocked", "Event author " + author.Npub + " is blacklisted"},
		{owner, "demo", "restricted", "Repository " + owner.Npub + "/demo not in whitelist"},
		{owner, "two words", "purgatory", "won't be served until git data arrives"},
		{guest, "demo", "purgatory", "won't be served until git data arrives"},
	} {
		answer := r.Publish(t.Context(), client.Announce(test.key, client.AnnounceOpts{
			Identifier: test.identifier, Clone: []string{c.CloneURL(test.key.Pubkey, test.identifier)}, Relays: []string{c.RelayURL()},
			CreatedAt: 1_760_000_000,
		}))
		if ok, is := answer.(client.OKFrame); !is || ok.Prefix != test.prefix || ok.Text != test.text {
			t.Errorf("announcement of %s: got %v, want %s: %s", test.identifier, answer, test.prefix, test.text)
		}
	}
	var document struct {
		Criteria string `json:"repo_acceptance_criteria"`
		Curation string `json:"curation"`
	}
	s.document(t, &document)
	if !strings.Contains(document.Criteria, "list of its operator") || document.Curation == "" {
		t.Errorf("document: got %+v", document)
	}
}

// A connection that sends faster than is set is told so, and the others go on.
func TestPaceIsServed(t *testing.T) {
	s := begin(t, "--memory", "--event-rate", "1", "--event-burst", "2")
	live, err := livetarget.New(s.url, livetarget.Options{})
	if err != nil {
		t.Fatal(err)
	}
	key := client.NewKey("pace", "author")
	for range 2 {
		conn, err := live.Dial(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for i, want := range []string{`"invalid: `, `"invalid: `, `"rate-limited: slow down"`} { // of nothing that is here
			event := client.Build(key, 1, nil, "too fast", 1_760_000_000+int64(i))
			frame, err := json.Marshal([]any{"EVENT", event})
			if err != nil {
				t.Fatal(err)
			}
			if err := conn.Send(t.Context(), frame); err != nil {
				t.Fatal(err)
			}
			if answer, err := conn.Recv(t.Context()); err != nil || !strings.Contains(string(answer), `"`+event.ID+`",false,`+want) {
				t.Errorf("event %d: got %s, %v, want %s", i, answer, err, want)
			}
		}
		if err := conn.Close(); err != nil {
			t.Error(err)
		}
	}
}
