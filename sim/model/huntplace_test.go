package model

import "testing"

// Places are read to the letter: one spelling for the many of each, and nothing that nobody may ask.
func TestSourceAt(t *testing.T) {
	m := New(Config{Host: "own.example", Base: "/git"})
	for _, c := range []struct{ text, url, host string }{
		{"http://a.example/x.git", "http://a.example/x.git", "a.example"},
		{" HTTP://me:pw@A.Example.:80/x.git#here", "http://a.example/x.git", "a.example"},
		{"https://a.example:8443/x.git", "https://a.example:8443/x.git", "a.example:8443"},
		{"http://93.184.216.34:443/x", "http://93.184.216.34:443/x", "93.184.216.34:443"},
		{"http://[::ffff:93.184.216.34]/x", "http://93.184.216.34/x", "93.184.216.34"},
		{"https://[2600:0:0::A]:443/x", "https://[2600::a]/x", "[2600::a]"},
		{"http://own.example/gitx/x", "http://own.example/gitx/x", "own.example"},
		{"http://own.example/Git/x", "", ""},
		{"http://OWN.example:80/git", "", ""},
		{"http://a.example/x?y", "", ""},
		{"http://a.example:080/x", "", ""},
		{"http://a..example/x", "", ""},
		{"http://a../x", "", ""},
		{"http://a.1/x", "", ""},
		{"http://a.localhost/x", "", ""},
		{"http://10.255.255.255/x", "", ""},
		{"http://[1.2.3.4]/x", "", ""},
		{"http://[fe80::1%25eth0]/x", "", ""},
		{"http://[2001:db8::1]/x", "", ""},
		{"http://[4000::1]/x", "", ""},
		{"ssh://a.example/x", "", ""},
		{"a.example/x", "", ""},
	} {
		if s, ok := m.sourceAt(c.text); ok != (c.url != "") || ok && (s.url != c.url || s.host != c.host || !s.sure) {
			t.Errorf("%q: got %+v, %t, want %q at %q", c.text, s, ok, c.url, c.host)
		}
	}
}
