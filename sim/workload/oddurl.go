package workload

import (
	"strings"

	"github.com/graspkit/graspkit/reference/repo"
	"github.com/graspkit/graspkit/sim/kernel"
)

// urlMax is the longest URL that a server looks at (REF-HUNT-21).
const urlMax = 2048

// OddURLs draws URLs under which somebody says that git data is to be had: the data of a host at a path written in another
// way, hosts that nobody has, and what no server may ask or can read.
func OddURLs(key kernel.Key, host, path string, own repo.Service) []string {
	all := oddURLs(host, path, own)
	var list []string
	for i := range 1 + key.WithText("number").Below(oddMost) {
		list = append(list, all[key.With(uint64(i)).Below(int64(len(all)))]) //nolint:gosec // i is small
	}
	return list
}

// oddMost is how many of them somebody names at most.
const oddMost = 6

func oddURLs(host, path string, own repo.Service) (list []string) {
	upper := strings.ToUpper(host)
	list = []string{
		"http://" + upper + path, "HTTP://" + host + path, "http://me:secret@" + host + path, "http://" + host + path + "#here", " http://" + host + path + "\t",
		"https://" + host + ":443" + path, "http://" + host + ":80" + path, "http://" + host + "." + path, "http://" + host + ":" + path, "http://" + host + "/",
		"https://" + host + ":80" + path, "http://" + host + ":443" + path, "http://" + host + path + "?a=b", "http://" + host + path + "?",
		"http://" + host + ":0" + path, "http://" + host + ":080" + path, "http://" + host + ":x" + path, "git://" + host + path, "ssh://" + host + path,
		"ftp://" + host + path, "http:" + host + path, "http:/" + host + path, "http://" + path, "https://:443" + path, "//" + host + path, host + path, path, "",
		"http://" + host + path + "/" + strings.Repeat("x", urlMax-len("http://")-len(host)-len(path)-1),
		"http://" + host + path + "/" + strings.Repeat("x", urlMax-len("http://")-len(host)-len(path)),
		"http://" + own.Host + own.Base + path, "http://" + strings.ToUpper(own.Host) + strings.ToUpper(own.Base) + path, "http://" + own.Host + "." + own.Base + path,
		"http://" + own.Host + own.Base + "x" + path, "http://" + own.Host + path, "http://" + own.Host + own.Base,
	}
	for _, name := range oddHosts {
		list = append(list, "http://"+name+path)
	}
	for _, name := range oddNames {
		list = append(list, "https://"+name+path)
	}
	return list
}

// oddNames are names that nobody has, the last ones of which are none.
var oddNames = []string{
	"a.example", "z.example", "0.example", "9.example", "az-_09.example", "-a.example", "_a.example", "a-.example", "a.b.c.d.e.example", "example", "a9",
	"AZ.Example", "localhost.example", strings.Repeat("a.", 123) + "example", strings.Repeat("a.", 124) + "exampl", // 253 and 254 bytes
	"localhost", "LocalHost.", "a.localhost", "a.localhost.", "a..example", ".a.example", "a.example..", "a..", ".", "..", "a`b.example", "a{b.example", "a~b.example",
	"a,b.example", "a.example!", "a.example,", "!a.example", "a+b.example", "a!b.example", "\u00e9.example", "a%41.example", "a.1", "a.1a", "a.9", "a.0", "1", "0x7f.1", "127.1", "2130706433", "0177.0.0.1", "1.2.3",
	"1.2.3.4.5", "1.2.3.256", "01.2.3.4", "[::1", "[]", "[1.2.3.4]", "[g::1]",
}

// oddHosts are addresses: at both edges of what is not global, some beside it, and some that wrap another one.
var oddHosts = []string{
	"0.0.0.0", "0.255.255.255", "1.0.0.0", "9.255.255.255", "10.0.0.0", "10.255.255.255", "11.0.0.0", "100.63.255.255", "100.64.0.0", "100.127.255.255", "100.128.0.0",
	"126.255.255.255", "127.0.0.1", "127.255.255.255", "128.0.0.0", "168.63.129.15", "168.63.129.16", "168.63.129.17", "169.253.255.255", "169.254.169.254", "169.255.0.0",
	"172.15.255.255", "172.16.0.0", "172.31.255.255", "172.32.0.0", "191.255.255.255", "192.0.0.0", "192.0.0.255", "192.0.1.0", "192.0.2.255", "192.0.3.0", "192.88.98.255",
	"192.88.99.0", "192.88.100.0", "192.167.255.255", "192.168.0.0", "192.168.255.255", "192.169.0.0", "198.17.255.255", "198.18.0.0", "198.19.255.255", "198.20.0.0",
	"198.51.99.255", "198.51.100.0", "198.51.101.0", "203.0.112.255", "203.0.113.0", "203.0.114.0", "223.255.255.255", "224.0.0.1", "239.255.255.255", "240.0.0.0", "255.255.255.255",
	"93.184.216.34:8080", "10.0.0.1:8080",
	"[::]", "[::1]", "[::1]:8080", "[::ffff:127.0.0.1]", "[::ffff:93.184.216.34]", "[::93.184.216.34]", "[64:ff9b::5db8:d822]", "[fe80::1]", "[fe80::1%25eth0]", "[2600::1%25eth0]",
	"[fc00::1]", "[fdff::1]", "[ff02::1]", "[1fff::1]", "[2000::1]", "[2001::1]", "[2001:1ff::1]", "[2001:200::1]", "[2001:db7::1]", "[2001:db8::1]", "[2001:db9::1]", "[2002::1]",
	"[2003::1]", "[2600:0:0::1]", "[2600::A]:443", "[3ffe::1]", "[3fff::1]", "[3fff:fff::1]", "[3fff:1000::1]", "[4000::1]",
}
