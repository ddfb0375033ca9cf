package features_test

import (
	"io/fs"
	"reflect"
	"slices"
	"testing"
	"testing/fstest"

	"github.com/graspkit/graspkit/features"
)

// What is left of a file is the check that was wanted, word for word.
func TestExcerptHoldsWhatIsWantedAlone(t *testing.T) {
	all, err := features.Load(features.FS)
	if err != nil {
		t.Fatal(err)
	}
	texts := make(map[string][]byte)
	for _, c := range all {
		if texts[c.File] == nil {
			if texts[c.File], err = fs.ReadFile(features.FS, c.File); err != nil {
				t.Fatal(err)
			}
		}
		left, err := features.Load(fstest.MapFS{c.File: {Data: features.Excerpt(texts[c.File], c)}})
		if err != nil {
			t.Fatalf("%s:%d: %v", c.File, c.Line, err)
		}
		if len(left) != 1 {
			t.Errorf("%s:%d: the excerpt holds %d checks, want 1", c.File, c.Line, len(left))
			continue
		}
		if got := left[0]; got.ID != c.ID || got.Title != c.Title || !slices.Equal(got.Tags, c.Tags) || !slices.EqualFunc(got.Steps, c.Steps, sameStep) {
			t.Errorf("%s:%d: the excerpt holds another check than %s", c.File, c.Line, c.ID)
		}
	}
}

func sameStep(a, b features.Step) bool {
	return a.Keyword == b.Keyword && a.Text == b.Text && reflect.DeepEqual(a.Table, b.Table)
}
