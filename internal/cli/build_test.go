package cli_test

import (
	"testing"

	"github.com/graspkit/graspkit/internal/cli"
)

func TestBuildString(t *testing.T) {
	t.Parallel()
	const commit = "0123456789abcdef0123456789abcdef01234567"
	for _, test := range []struct {
		by   cli.Build
		want string
	}{
		{cli.Build{Version: "(devel)"}, "(devel)"},
		{cli.Build{Version: "(devel)", Commit: commit}, "(devel) 0123456789ab"},
		{cli.Build{Version: "v1.2.3"}, "v1.2.3"},
		{cli.Build{Version: "v1.2.3", Commit: commit}, "v1.2.3 0123456789ab"},
		{cli.Build{Version: "v0.0.0-20260102030405-0123456789ab+dirty", Commit: commit}, "v0.0.0-20260102030405-0123456789ab+dirty"},
		{cli.Build{Version: "(devel)", Commit: "0123"}, "(devel)"},
	} {
		if got := test.by.String(); got != test.want {
			t.Errorf("%+v: got %q, want %q", test.by, got, test.want)
		}
	}
}
