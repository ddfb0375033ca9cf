package features_test

import (
	"bytes"
	"io/fs"
	"reflect"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/graspkit/graspkit/features"
)

// What is left of a file are the checks that were wanted, word for word and on their lines.
func TestExcerptHoldsWhatIsWantedAlone(t *testing.T) {
	all, err := features.Load(features.FS)
	if err != nil {
		t.Fatal(err)
	}
	byFile := make(map[string][]features.Check)
	for _, c := range all {
		byFile[c.File] = append(byFile[c.File], c)
	}
	for file, checks := range byFile {
		text, err := fs.ReadFile(features.FS, file)
		if err != nil {
			t.Fatal(err)
		}
		for every := 1; every <= min(3, len(checks)); every++ {
			var wanted []features.Check
			for i := every - 1; i < len(checks); i += every {
				wanted = append(wanted, checks[i])
			}
			excerpt := features.Excerpt(text, wanted)
			if got, want := bytes.Count(excerpt, []byte("\n")), bytes.Count(text, []byte("\n")); got != want {
				t.Errorf("%s: %d lines, want %d", file, got, want)
			}
			left, err := features.Load(fstest.MapFS{file: {Data: excerpt}})
			if err != nil {
				t.Fatalf("%s: %v", file, err)
			}
			same := func(a, b features.Check) bool {
				return a.ID == b.ID && a.Title == b.Title && a.Line == b.Line && slices.Equal(a.Tags, b.Tags) && reflect.DeepEqual(a.Steps, b.Steps)
			}
			if !slices.EqualFunc(left, wanted, same) {
				t.Errorf("%s, every %d: the excerpt holds other checks than those wanted", file, every)
			}
		}
	}
}
