package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/coder/websocket"
	"github.com/nbd-wtf/go-nostr"
)

// measures are the rows of the table. What is per second is the more the better; the other ones, the less the better. What the
// process computes says more than the time that passes where others use the machine.
var measures = []string{
	"ingest, events/s", "one alone, events/s", "delivery, events/s", "queries/s", "events of queries/s", "bytes written per byte sent",
	"ingest, us of CPU each", "delivery, us of CPU each", "queries, us of CPU each",
}

// measure starts a server, takes it through all measures and ends it.
func measure(ctx context.Context, s server, l load, data string) (got map[string]float64, err error) {
	r, err := s.start(ctx, data)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.stop()) }()
	if s.name == "reference" {
		if err := prepare(ctx, r.address, l); err != nil {
			return nil, fmt.Errorf("prepare: %w", err)
		}
	}
	got = map[string]float64{}
	before := r.written()
	rate := func(name string, n int, do func() error) error {
		begin, used := time.Now(), r.computed()
		if err := do(); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		got[name] = float64(n) / time.Since(begin).Seconds()
		got[strings.TrimSuffix(name, "events/s")+"us of CPU each"] = float64((r.computed() - used).Microseconds()) / float64(n)
		return nil
	}
	if err := rate(measures[0], len(l.many), func() error { return ingest(ctx, r.address, l.many, connections, unanswered) }); err != nil {
		return nil, err
	}
	sent := 0
	for _, f := range l.many {
		sent += len(f.text)
	}
	got[measures[5]] = (r.written() - before) / float64(sent)
	if err := rate(measures[1], len(l.single), func() error { return ingest(ctx, r.address, l.single, 1, 1) }); err != nil {
		return nil, err
	}
	deliver, end, err := subscribe(ctx, r.address, l)
	if err != nil {
		return nil, err
	}
	err = rate(measures[2], len(l.announced)*l.subscribers, deliver)
	end()
	if err != nil {
		return nil, err
	}
	events := 0
	begin, used := time.Now(), r.computed()
	if events, err = query(ctx, r.address, l); err != nil {
		return nil, fmt.Errorf("queries: %w", err)
	}
	took := time.Since(begin).Seconds()
	got[measures[3]], got[measures[4]] = float64(l.queries)/took, float64(events)/took
	got[measures[8]] = float64((r.computed() - used).Microseconds()) / float64(l.queries)
	return got, nil
}

// computed is how much processor time the process has used, where the system tells.
func (r *running) computed() time.Duration {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", r.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	_, rest, _ := strings.Cut(string(text), ") ")
	fields := strings.Fields(rest)
	if len(fields) < 13 {
		return 0
	}
	var user, system int64 // in hundredths of a second
	_, _ = fmt.Sscan(fields[11], &user)
	_, _ = fmt.Sscan(fields[12], &system)
	return time.Duration(user+system) * 10 * time.Millisecond
}

// written is how many bytes the process has had written to the disk, where the system tells.
func (r *running) written() float64 {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/io", r.cmd.Process.Pid))
	if err != nil {
		return 0
	}
	var bytes float64
	for line := range strings.Lines(string(text)) {
		_, _ = fmt.Sscanf(line, "write_bytes: %f", &bytes)
	}
	return bytes
}

func dial(ctx context.Context, address string) (*websocket.Conn, error) {
	c, _, err := websocket.Dial(ctx, "ws://"+address, nil)
	if err == nil {
		c.SetReadLimit(1 << 20)
	}
	return c, err
}

// prepare gives the reference a repository, which the events are about: it takes nothing about any other.
func prepare(ctx context.Context, address string, l load) error {
	if err := ingest(ctx, address, []frame{l.announcement}, 1, 1); err != nil {
		return err
	}
	dir, err := os.MkdirTemp("", "grasp-peers-git-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	git := func(args ...string) (string, error) {
		cmd := exec.CommandContext(ctx, "git", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_AUTHOR_NAME=a", "GIT_AUTHOR_EMAIL=a@example.com",
			"GIT_COMMITTER_NAME=a", "GIT_COMMITTER_EMAIL=a@example.com")
		out, err := cmd.CombinedOutput()
		if err != nil {
			return "", fmt.Errorf("git %s: %w: %s", args[0], err, out)
		}
		return strings.TrimSpace(string(out)), nil
	}
	if _, err := git("init", "-q", "-b", "main"); err != nil {
		return err
	}
	if _, err := git("commit", "-q", "--allow-empty", "-m", "first"); err != nil {
		return err
	}
	tip, err := git("rev-parse", "HEAD")
	if err != nil {
		return err
	}
	state := l.event(l.owner, 0, 30618, nostr.Tags{{"d", "demo"}, {"refs/heads/main", tip}, {"HEAD", "ref: refs/heads/main"}}, "")
	if err := ingest(ctx, address, []frame{state}, 1, 1); err != nil {
		return err
	}
	_, err = git("push", "-q", "http://"+filepath.ToSlash(filepath.Join(address, l.npub, "demo.git")), "main")
	return err
}

// ingest publishes events over several connections, each with so many unanswered, until all are answered with OK true.
func ingest(ctx context.Context, address string, list []frame, conns, window int) error {
	failed := make([]error, conns)
	var working sync.WaitGroup
	for n := range conns {
		working.Go(func() {
			var mine []frame
			for i := n; i < len(list); i += conns {
				mine = append(mine, list[i])
			}
			failed[n] = publish(ctx, address, mine, window)
		})
	}
	working.Wait()
	return errors.Join(failed...)
}

func publish(ctx context.Context, address string, list []frame, window int) error {
	c, err := dial(ctx, address)
	if err != nil {
		return err
	}
	defer c.CloseNow()
	sent := 0
	for answered := 0; answered < len(list); answered++ {
		for ; sent < len(list) && sent-answered < window; sent++ {
			if err := c.Write(ctx, websocket.MessageText, []byte(list[sent].text)); err != nil {
				return err
			}
		}
		_, text, err := c.Read(ctx)
		if err != nil {
			return err
		}
		if !bytes.HasPrefix(text, []byte(`["OK"`)) {
			answered-- // a greeting, or a challenge
			continue
		}
		if !bytes.Contains(text, []byte(",true,")) {
			return fmt.Errorf("answer %s", text)
		}
	}
	return nil
}

// subscribe opens subscribers. Deliver publishes what they wait for, and returns when each has all of it.
func subscribe(ctx context.Context, address string, l load) (deliver func() error, end func(), err error) {
	var open []*websocket.Conn
	end = func() {
		for _, c := range open {
			_ = c.CloseNow()
		}
	}
	var waiting sync.WaitGroup
	failed := make([]error, l.subscribers+1)
	for n := range l.subscribers {
		c, err := dial(ctx, address)
		if err != nil {
			return nil, end, err
		}
		open = append(open, c)
		if err := c.Write(ctx, websocket.MessageText, []byte(`["REQ","live",{"kinds":[1621],"limit":1}]`)); err != nil {
			return nil, end, err
		}
		for {
			_, text, err := c.Read(ctx)
			if err != nil {
				return nil, end, err
			}
			if bytes.HasPrefix(text, []byte(`["EOSE"`)) {
				break
			}
		}
		waiting.Go(func() {
			for got := 0; got < len(l.announced); {
				_, text, err := c.Read(ctx)
				if err != nil {
					failed[n] = fmt.Errorf("subscriber %d has %d of %d events: %w", n, got, len(l.announced), err)
					return
				}
				if bytes.HasPrefix(text, []byte(`["EVENT"`)) {
					got++
				}
			}
		})
	}
	return func() error {
		failed[l.subscribers] = ingest(ctx, address, l.announced, 1, unanswered)
		if failed[l.subscribers] != nil {
			end()
		}
		waiting.Wait()
		return errors.Join(failed...)
	}, end, nil
}

// query asks by several connections: for one by id, for the latest of an author, and for the latest of the repository.
func query(ctx context.Context, address string, l load) (events int, err error) {
	got, failed := make([]int, connections), make([]error, connections)
	pub, err := nostr.GetPublicKey(l.owner)
	if err != nil {
		return 0, err
	}
	var authors []string
	for n := range 100 {
		author, err := nostr.GetPublicKey(fmt.Sprintf("%064x", n+2))
		if err != nil {
			return 0, err
		}
		authors = append(authors, author)
	}
	var working sync.WaitGroup
	for n := range connections {
		working.Go(func() {
			c, err := dial(ctx, address)
			if err != nil {
				failed[n] = err
				return
			}
			defer c.CloseNow()
			for i := n; i < l.queries; i += connections {
				filter := []string{
					`{"ids":["` + l.many[i*7%len(l.many)].id + `"]}`,
					`{"authors":["` + authors[i%100] + `"],"kinds":[1621],"limit":20}`,
					`{"#a":["30617:` + pub + `:demo"],"limit":100}`,
				}[i%3]
				more, err := ask(ctx, c, filter)
				got[n] += more
				if err != nil {
					failed[n] = err
					return
				}
			}
		})
	}
	working.Wait()
	for _, n := range got {
		events += n
	}
	return events, errors.Join(failed...)
}

func ask(ctx context.Context, c *websocket.Conn, filter string) (events int, err error) {
	if err := c.Write(ctx, websocket.MessageText, []byte(`["REQ","q",`+filter+`]`)); err != nil {
		return 0, err
	}
	for {
		_, text, err := c.Read(ctx)
		if err != nil {
			return events, err
		}
		switch {
		case bytes.HasPrefix(text, []byte(`["EVENT"`)):
			events++
		case bytes.HasPrefix(text, []byte(`["EOSE"`)):
			return events, c.Write(ctx, websocket.MessageText, []byte(`["CLOSE","q"]`))
		case bytes.HasPrefix(text, []byte(`["CLOSED"`)):
			return events, fmt.Errorf("answer %s", text)
		}
	}
}
