package report

import (
	"strings"
	"testing"
)

// No id and no flag is broken at the end of a line, and what stands between is text, whatever it is.
func TestUnbroken(t *testing.T) {
	for text, want := range map[string]string{
		"violated: 2 (G01-MNT-04, G01-PUSH-03)": `violated: 2 (<span class="whole">G01-MNT-04</span>, <span class="whole">G01-PUSH-03</span>)`,
		"--time-budget 36m":                     `<span class="whole">--time-budget</span> 36m`,
		`<b>-"x"</b>`:                           `<span class="whole">&lt;b&gt;-&#34;x&#34;&lt;/b&gt;</span>`,
		"a<b>":                                  "a&lt;b&gt;",
		strings.Repeat("-", 40):                 strings.Repeat("-", 40),
	} {
		if got := string(unbroken(text)); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
}
