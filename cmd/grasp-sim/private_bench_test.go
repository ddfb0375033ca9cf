package main

import (
	"math"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/livetarget"
)

// BenchmarkStrangersWait compares how long who may not know it waits for the answer about a repository that is here and about one that
// is not: by git with every wrong token, and on the relay before and after the authentication of a stranger. The two are asked for in
// turns, and who comes first changes, so that a machine that grows slower does so for both.
//
//   - ratio is the median of what is here through that of what is not: 1 where nothing tells them apart.
//   - rank is the probability that the answer about what is here takes longer, by Mann and Whitney: 1/2 where nothing does.
//   - sigma is how far the rank is from 1/2, in deviations of chance: beyond 4 there is something to see.
//
// The control compares what is here with itself, which shows what the machine does by chance.
func BenchmarkStrangersWait(b *testing.B) {
	if _, err := exec.LookPath("git"); err != nil {
		b.Skip("no git installed")
	}
	p, _, _ := privateServer(b)
	demo, none := "/"+privateOwner.Npub+"/demo.git", "/"+privateOwner.Npub+"/none.git"
	for _, paths := range [][2]string{{demo, none}, {demo, demo}} {
		name := "git"
		if paths[0] == paths[1] {
			name = "control"
		}
		b.Run(name, func(b *testing.B) {
			var took [2][]float64
			for turn := 0; b.Loop(); turn++ {
				wrong := [2]map[string]string{wrongTokens(b, p.url, paths[0]), wrongTokens(b, p.url, paths[1])}
				for name := range wrong[0] {
					inTurns(turn, &took, func(i int) {
						exchange(b, p.url, "GET "+paths[i]+"/info/refs?service=git-upload-pack", "Authorization: "+wrong[i][name])
					})
				}
			}
			tellApart(b, took)
		})
	}
	live, err := livetarget.New(p.url, livetarget.Options{})
	if err != nil {
		b.Fatal(err)
	}
	for _, who := range []string{"relay-nobody", "relay-stranger"} {
		b.Run(who, func(b *testing.B) {
			conn, err := live.Dial(b.Context())
			if err != nil {
				b.Fatal(err)
			}
			challenge := strings.Split(string(receive(b, conn)), `"`)[3]
			if who == "relay-stranger" {
				tags := [][]string{{"relay", strings.Replace(p.url, "http", "ws", 1)}, {"challenge", challenge}}
				ask(b, conn, "AUTH", client.Build(privateStranger, 22242, tags, "", time.Now().Unix()))
			}
			var took [2][]float64
			for turn := 0; b.Loop(); turn++ {
				inTurns(turn, &took, func(i int) {
					identifier := []string{"demo", "none"}[i]
					ask(b, conn, "REQ", "s", map[string]any{"kinds": []int{30617}, "authors": []string{privateOwner.Pubkey}, "#d": []string{identifier}})
				})
			}
			tellApart(b, took)
			if err := conn.Close(); err != nil {
				b.Error(err)
			}
		})
	}
}

// inTurns measures two things, each of them first every second time.
func inTurns(turn int, took *[2][]float64, do func(i int)) {
	for i := range 2 {
		i ^= turn & 1
		begin := time.Now()
		do(i)
		took[i] = append(took[i], float64(time.Since(begin).Nanoseconds())/1000)
	}
}

// tellApart reports what tells two lists of times apart.
func tellApart(b *testing.B, took [2][]float64) {
	b.Helper()
	longer := 0.0 // pairs in which the first one is, ties by half
	for i := range took {
		slices.Sort(took[i])
	}
	for _, t := range took[0] {
		below, equal := slices.BinarySearch(took[1], t)
		longer += float64(below)
		if equal {
			above := below
			for above < len(took[1]) && took[1][above] == t {
				above++
			}
			longer += float64(above-below) / 2
		}
	}
	n, m := float64(len(took[0])), float64(len(took[1]))
	rank := longer / (n * m)
	median := func(i int) float64 { return took[i][len(took[i])/2] }
	b.ReportMetric(0, "ns/op")
	b.ReportMetric(n, "each")
	b.ReportMetric(median(0), "here-median-µs")
	b.ReportMetric(median(1), "absent-median-µs")
	b.ReportMetric(median(0)/median(1), "ratio")
	b.ReportMetric(rank, "rank")
	b.ReportMetric((rank-1.0/2)/math.Sqrt((n+m+1)/(12*n*m)), "sigma")
}
