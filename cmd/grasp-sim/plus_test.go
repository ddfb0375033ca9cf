package main

import (
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/graspkit/graspkit/conformance/client"
)

// One process finds at another one, which no announcement names, who an author is and what was answered there (G03-01 to G03-03, G03-05).
func TestSyncPlusIsServed(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("no git installed")
	}
	ws := func(p *process) string { return strings.Replace(p.url, "http", "ws", 1) }
	index := spawn(t, "--memory", "--sync-plus")
	server := spawn(t, "--memory", "--sync-plus", "--sync-private", "--sync-window", "1s", "--index-relay", ws(index))
	var document struct {
		Grasps []string `json:"supported_grasps"`
	}
	server.document(t, &document)
	if !slices.Contains(document.Grasps, "GRASP-02") || !slices.Contains(document.Grasps, "GRASP-03") {
		t.Errorf("document: got %v, want GRASP-02 and GRASP-03", document.Grasps)
	}
	owner := client.NewKey("plus", "owner")
	const at = 1_760_000_000
	work := t.TempDir()
	mustGit(t, work, "init", "--quiet", "--initial-branch=main")
	mustGit(t, work, "commit", "--quiet", "--allow-empty", "--message", "first")
	tip := mustGit(t, work, "rev-parse", "HEAD")
	issue := client.Issue(owner, "30617:"+owner.Pubkey+":demo", "an issue", "", at+2)
	for _, p := range []*process{index, server} { // two of the same name that know nothing of each other
		url := p.url + "/" + owner.Npub + "/demo.git"
		r := talk(t, &p.serving)
		publish(t, r, client.Announce(owner, client.AnnounceOpts{Identifier: "demo", Clone: []string{url}, Relays: []string{ws(p)}, CreatedAt: at}))
		publish(t, r, client.StateEvent(owner, "demo", [][2]string{{"refs/heads/main", tip}}, "refs/heads/main", at+1))
		mustGit(t, work, "push", "--quiet", url, "main")
		publish(t, r, issue)
	}
	there := talk(t, &index.serving)
	publish(t, there, client.Build(owner, 0, nil, `{"name":"owner"}`, at))
	publish(t, there, client.Build(owner, 10002, [][]string{{"r", ws(index)}}, "", at))
	answer := client.Build(client.NewKey("plus", "somebody"), 1111, [][]string{{"E", issue.ID}}, "an answer", at+3)
	publish(t, there, answer)
	here := talk(t, &server.serving)
	await(t, "profile, list and answer", func() bool {
		events, o := here.Query(t.Context(), client.Filter{Kinds: []int{0, 10002, 1111}})
		return o == nil && len(events) == 3
	})
	if got, ok := here.Publish(t.Context(), client.Build(client.NewKey("plus", "nobody"), 0, nil, "{}", at)).(client.OKFrame); !ok || got.Accepted {
		t.Errorf("profile of who has no part in anything: got %v, want a refusal", got)
	}
}
