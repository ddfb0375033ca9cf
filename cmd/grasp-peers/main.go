// Command grasp-peers measures the reference server beside another relay, khatru on its badger event store, on the same machine, in
// turns, with the same signed events, and prints what either did and the ratio. Its test has the reference replicate from that relay.
// It has a module of its own: what it measures against is no dependency of the project.
//
//	cd cmd/grasp-peers && go run . -rounds 5
package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"text/tabwriter"
)

func main() {
	var l load
	rounds := flag.Int("rounds", 3, "measure each server `N` times in turns; the median counts")
	server := flag.String("server", "", "grasp-sim `binary` to measure; built from this tree if empty")
	var p peer
	flag.StringVar(&p.data, "serve", "", "be the other relay in this `folder`, until the end of stdin")
	flag.BoolVar(&p.sync, "sync", false, "with -serve: each event waits for the disk")
	flag.StringVar(&p.addr, "addr", "127.0.0.1:0", "with -serve: `host:port` to listen on")
	flag.BoolVar(&p.compares, "compares", false, "with -serve: it reconciles (NIP-77)")
	flag.BoolVar(&p.tells, "tells", false, "with -serve: at the end say on stderr how often it was asked")
	flag.IntVar(&l.events, "events", 6000, "events to take in")
	flag.IntVar(&l.alone, "alone", 300, "events to take in one after the other")
	flag.IntVar(&l.delivered, "delivered", 600, "events to deliver to each subscriber")
	flag.IntVar(&l.subscribers, "subscribers", 50, "subscribers")
	flag.IntVar(&l.queries, "queries", 2000, "queries")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	defer stop()
	var err error
	if p.data != "" {
		err = p.serve()
	} else {
		err = compare(ctx, l, *rounds, *server)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "peers:", err)
		os.Exit(1)
	}
}

// compare measures all servers in turns and prints the table.
func compare(ctx context.Context, l load, rounds int, binary string) error {
	dir, err := os.MkdirTemp("", "grasp-peers-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if binary == "" {
		binary = filepath.Join(dir, "grasp-sim")
		build := exec.CommandContext(ctx, "go", "build", "-o", binary, "./cmd/grasp-sim")
		build.Dir, build.Stderr = filepath.Join("..", ".."), os.Stderr
		if err := build.Run(); err != nil {
			return fmt.Errorf("build the reference: %w", err)
		}
	}
	l.sign()
	servers := []server{
		{name: "reference", start: startReference(binary)},
		{name: "khatru", start: startPeer(false)},
		{name: "khatru, synced", start: startPeer(true)},
	}
	results := make([]map[string][]float64, len(servers))
	for round := range rounds {
		for i, s := range servers {
			if results[i] == nil {
				results[i] = map[string][]float64{}
			}
			data := filepath.Join(dir, fmt.Sprint(i, "-", round))
			got, err := measure(ctx, s, l, data)
			if err != nil {
				return fmt.Errorf("%s: %w", s.name, err)
			}
			for name, value := range got {
				results[i][name] = append(results[i][name], value)
			}
			_ = os.RemoveAll(data)
		}
	}
	table(servers, results)
	for _, s := range servers {
		count, err := syncs(ctx, s, l, dir)
		if err != nil {
			return fmt.Errorf("syncs of %s: %w", s.name, err)
		}
		fmt.Printf("syncs of %s: %s\n", s.name, count)
	}
	return nil
}

func table(servers []server, results []map[string][]float64) {
	w := tabwriter.NewWriter(os.Stdout, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintf(w, "\t%s\t%s\tratio\t%s\tratio\t\n", servers[0].name, servers[1].name, servers[2].name)
	for _, name := range measures {
		ours := median(results[0][name])
		fmt.Fprintf(w, "%s\t%.1f\t", name, ours)
		for i := range servers[1:] {
			theirs := median(results[i+1][name])
			fmt.Fprintf(w, "%.1f\t%.2f\t", theirs, ours/theirs)
		}
		fmt.Fprintln(w)
	}
	_ = w.Flush()
}

func median(values []float64) float64 {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return values[len(values)/2]
}
