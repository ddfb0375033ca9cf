package main

import (
	"os/exec"
	"slices"
	"testing"
	"time"
)

// BenchmarkStrangersWait measures how long who may not know it waits for the answer about a repository that is here and about one that
// is not, in turns and with every wrong token: the medians are to be the same, and the quartiles say how far they may be apart by
// chance. What a token costs differs, and depends on the token alone.
func BenchmarkStrangersWait(b *testing.B) {
	if _, err := exec.LookPath("git"); err != nil {
		b.Skip("no git installed")
	}
	p, _, _ := privateServer(b)
	paths := []string{"/" + privateOwner.Npub + "/demo.git", "/" + privateOwner.Npub + "/none.git"}
	took := make([][]time.Duration, len(paths))
	for b.Loop() {
		wrong := make([]map[string]string, len(paths))
		for i, path := range paths {
			wrong[i] = wrongTokens(b, p.url, path)
		}
		for name := range wrong[0] {
			for i, path := range paths {
				begin := time.Now()
				exchange(b, p.url, "GET "+path+"/info/refs?service=git-upload-pack", "Authorization: "+wrong[i][name])
				took[i] = append(took[i], time.Since(begin))
			}
		}
	}
	b.ReportMetric(0, "ns/op")
	for i, name := range []string{"here", "absent"} {
		slices.Sort(took[i])
		for quarter, of := range []string{"", "quartile1", "median", "quartile3"} {
			if quarter > 0 {
				b.ReportMetric(float64(took[i][len(took[i])*quarter/4].Nanoseconds())/1000, name+"-"+of+"-µs")
			}
		}
	}
}
