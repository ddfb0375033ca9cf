package invariant

import "testing"

func TestHostOf(t *testing.T) {
	for text, want := range map[string]string{
		"http://git.example/r.git": "git.example", "https://GIT.Example.:443/r": "git.example", "http://u:p@git.example:80/": "git.example",
		"https://git.example:80/r": "git.example:80", "http://git_1.example:8080/r": "git_1.example:8080",
		"ssh://git.example/r": "", "git@git.example:r": "", "http://git.example/r?x": "", "http://git.example/r?": "", "http://1.2.3.4/r": "",
		"http://[::1]/r": "", "http://localhost/r": "", "http://git..example/r": "", "http://g\u00eft.example/r": "", "http://git.example:080/r": "",
		"http://0x7f.1/": "", "http:///r": "", "": "",
	} {
		if got, is := hostOf(text); got != want || is != (want != "") {
			t.Errorf("%q: got %q, %t, want %q", text, got, is, want)
		}
	}
}
