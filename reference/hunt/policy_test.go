package hunt_test

import (
	"net/netip"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/reference/hunt"
	"github.com/graspkit/graspkit/reference/repo"
)

// What is asked and under which name (REF-HUNT-23, SEC-02).
func TestSources(t *testing.T) {
	for text, want := range map[string]hunt.Source{
		"https://h.test/x.git":                {URL: "https://h.test/x.git", Host: "h.test"},
		"HTTPS://User:Pw@H.Test:443/X.git#f":  {URL: "https://h.test/X.git", Host: "h.test"},
		"http://h.test:80/x":                  {URL: "http://h.test/x", Host: "h.test"},
		"http://h.test:443/x":                 {URL: "http://h.test:443/x", Host: "h.test:443"},
		"https://h.test.:8080/a%2Fb":          {URL: "https://h.test:8080/a%2Fb", Host: "h.test:8080"},
		"https://[2606:4700:0::1]/x":          {URL: "https://[2606:4700::1]/x", Host: "[2606:4700::1]"},
		"https://8.8.8.8/x":                   {URL: "https://8.8.8.8/x", Host: "8.8.8.8"},
		"https://[::ffff:8.8.8.8]/x":          {URL: "https://8.8.8.8/x", Host: "8.8.8.8"},
		"https://grasp.test.evil.test/x":      {URL: "https://grasp.test.evil.test/x", Host: "grasp.test.evil.test"},
		"https://h.test/grasp.test/x":         {URL: "https://h.test/grasp.test/x", Host: "h.test"},
		"https://grasp.test@h.test/x":         {URL: "https://h.test/x", Host: "h.test"},
		"https://notgrasp.test/x":             {URL: "https://notgrasp.test/x", Host: "notgrasp.test"},
		"https://grasp.test:8443/x":           {URL: "https://grasp.test:8443/x", Host: "grasp.test:8443"},
		"https://h.test/@grasp.test/x.git#@a": {URL: "https://h.test/@grasp.test/x.git", Host: "h.test"},
	} {
		got, why := policy("https://grasp.test").Source(text)
		if got != want || why != "" {
			t.Errorf("%s: got %+v %q, want %+v", text, got, why, want)
		}
	}
}

func policy(service string) hunt.Policy {
	own, err := repo.ParseService(service)
	if err != nil {
		panic(err)
	}
	return hunt.Policy{Own: own}
}

func TestURLsThatAreNotAsked(t *testing.T) {
	p := policy("https://grasp.test")
	for _, text := range []string{
		"", "x", "/x.git", "h.test/x.git", "file:///etc/passwd", "ssh://h.test/x", "git://h.test/x", "ext::sh -c x", "git@h.test:x",
		"ftp://h.test/x", "javascript:x", "https:///x", "https://:443/x", "https:h.test/x", "http://h.test:x/", "http://h.test:0/",
		"http://h.test:0080/", "https://h\u00e4.test/x", "https://h%2etest%00/x", "https://a..b/x", "https://.h/x", "https://h test/x",
		"http://127.0.0.1/x", "http://127.1/x", "http://2130706433/x", "http://0x7f000001/x", "http://0177.0.0.1/x", "http://0/x",
		"http://[::1]/x", "http://[::ffff:127.0.0.1]/x", "http://[fe80::1%25eth0]/x", "http://10.0.0.1/x", "http://192.168.1.1/x",
		"http://169.254.169.254/x", "http://localhost/x", "http://LOCALHOST:8080/x", "http://a.localhost./x", "http://h.test.1/x", "http://h../x", "http://h.test../x", "http://./x", "http://../x", "http://.h/x", "http://h..test/x",
		"https://h.test/x.git?y=z", "https://h.test/x.git?", "https://h.test/" + strings.Repeat("x", hunt.URLMax),
	} {
		if got, why := p.Source(text); why == "" {
			t.Errorf("%s: got %+v, want it refused", text, got)
		}
	}
	p.AllowPrivate = true
	for _, text := range []string{"http://127.0.0.1:8080/x", "http://[::1]/x", "http://localhost/x", "http://10.0.0.1/x"} {
		if _, why := p.Source(text); why != "" {
			t.Errorf("%s: got %q, want it allowed", text, why)
		}
	}
	if _, why := p.Source("http://127.1/x"); why == "" {
		t.Error("a second spelling of an address was taken")
	}
}

// The own service is known by host, port and base path, whatever the spelling, and by nothing else (REF-HUNT-21, W-13).
func TestOwnServiceIsNotAsked(t *testing.T) {
	for service, own := range map[string][]string{
		"https://grasp.test": {
			"https://grasp.test/x", "https://GRASP.Test:443/x", "http://grasp.test/x", "https://u@grasp.test./x", "http://grasp.test",
		},
		"wss://grasp.test:8443/Base": {
			"https://grasp.test:8443/base/x", "https://grasp.test:8443/Base", "https://grasp.test:8443/other/../base/x",
			"https://grasp.test:8443/%62ase/x",
		},
		"ws://[2606:4700:0::1]:80": {"http://[2606:4700::1]/x"},
	} {
		for _, text := range own {
			if got, why := policy(service).Source(text); why == "" {
				t.Errorf("%s: got %+v, want it known as %s", text, got, service)
			}
		}
	}
	for _, text := range []string{"https://grasp.test:8443/bases/x", "https://grasp.test/base/x", "https://grasp.test:8443/x/base/"} {
		if _, why := policy("wss://grasp.test:8443/base").Source(text); why != "" {
			t.Errorf("%s: got %q, want it asked", text, why)
		}
	}
}

func TestGlobal(t *testing.T) {
	for text, want := range map[string]bool{
		"1.1.1.1": true, "93.184.216.34": true, "2606:4700::1111": true, "::ffff:8.8.8.8": true,
		"127.0.0.1": false, "127.255.0.1": false, "::1": false, "0.0.0.0": false, "0.1.2.3": false, "::": false,
		"10.1.2.3": false, "172.16.0.1": false, "172.31.255.255": false, "172.32.0.1": true, "192.168.1.1": false,
		"169.254.169.254": false, "fe80::1": false, "fe80::1%eth0": false, "fd00:ec2::254": false, "fc00::1": false,
		"100.64.0.1": false, "100.100.100.200": false, "100.128.0.1": true, "168.63.129.16": false,
		"192.0.0.192": false, "192.0.2.1": false, "198.18.0.1": false, "198.51.100.1": false, "203.0.113.1": false,
		"224.0.0.1": false, "ff02::1": false, "240.0.0.1": false, "255.255.255.255": false,
		"::ffff:127.0.0.1": false, "::127.0.0.1": false, "64:ff9b::7f00:1": false, "2002:7f00:1::": false, "2001::1": false,
		"2001:db8::1": false, "fec0::1": false, "2606:4700::1%eth0": false,
		"8.8.8.8": true, "2606:4700::1": true, "192.168.0.1": false, "::ffff:10.0.0.1": false,
	} {
		if got := hunt.Global(netip.MustParseAddr(text)); got != want {
			t.Errorf("%s: got %t, want %t", text, got, want)
		}
	}
}

func FuzzSource(f *testing.F) {
	for _, text := range []string{"https://u:p@H.test:443/x#y", "http://[::1]:80/", "http://0x7f.1/x", "https://grasp.test/x"} {
		f.Add(text)
	}
	p := policy("https://grasp.test")
	f.Fuzz(func(t *testing.T, text string) {
		got, why := p.Source(text)
		if why != "" {
			return
		}
		again, why := p.Source(got.URL)
		if why != "" || again != got {
			t.Errorf("%q: got %+v, which reads as %+v %q", text, got, again, why)
		}
		if strings.HasPrefix(got.Host, "127.") || strings.Contains(got.Host, "localhost") && strings.HasSuffix(got.Host, "localhost") || got.Host == "grasp.test" {
			t.Errorf("%q: got %+v", text, got)
		}
	})
}
