package client_test

import (
	"testing"

	"github.com/graspkit/graspkit/conformance/client"
)

func TestLabel(t *testing.T) {
	for raw, want := range map[string][2]string{
		`["EOSE","one"]`:                              {"EOSE", "one"},
		"[ \"OK\" ,\n\t\"4f\" , true, \"\" ]":         {"OK", "4f"},
		`["\u0045VENT","\u006fne",{"content":"[1]"}]`: {"EVENT", "one"},
		` ["NOTICE", "still here"]`:                   {"NOTICE", "still here"},
		`["CLOSED",7]`:                                {"CLOSED", ""},
		`["EOSE",["one"]]`:                            {"EOSE", ""},
		`["AUTH"]`:                                    {"AUTH", ""},
		`["AUTH",""]`:                                 {"AUTH", ""},
		`{"EOSE":"one"}`:                              {"", ""},
		`[7,"one"]`:                                   {"", ""},
		`"EOSE"`:                                      {"", ""},
		``:                                            {"", ""},
		`[`:                                           {"", ""},
	} {
		if label, about := client.Label([]byte(raw)); label != want[0] || about != want[1] {
			t.Errorf("%s: got %q, %q, want %q", raw, label, about, want)
		}
	}
}
