package suite

import (
	"maps"
	"regexp"
	"slices"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/gitclient"
)

// gitPush lets git push the rows of a table to the owner's repository, from the repository that has everything or from one
// of the place, with the refs looked at before and after it.
func (w *world) gitPush(from string, version int, rows [][]string) outcome {
	path, rows := w.path("owner"), w.refNames(rows)
	args := []string{"push", w.gitURL()}
	for _, row := range rows {
		object := ""
		if row[1] != deletion {
			object = w.git.history.oid(row[1])
		}
		args = append(args, object+":"+row[0])
	}
	if from == "" {
		from = w.localRepository()
	}
	p := push{actor: "owner", rows: rows, before: w.advertisedBefore(path)}
	if client.Inconclusive(p.before) {
		return inconclusive("advertisement before the push", p.before)
	}
	w.stock.repeat = func() gitclient.Answer { return w.stockRun(from, version, args...) }
	w.stock.pushed = w.stock.repeat()
	p.after = w.client.Advertise(w.ctx, path, client.ReceivePack, 0)
	w.git.pushed = p
	return outcome{}
}

// advertisedBefore is the advertisement for pushes of a repository that may still be in the making. People who push do not
// come in the same second.
func (w *world) advertisedBefore(path string) client.Observation {
	var o client.Observation
	bound, _ := w.run.patience(&w.run.rooms, 0)
	w.client.Poll(w.ctx, bound, func() (bool, client.Observation) {
		o = w.client.Advertise(w.ctx, path, client.ReceivePack, 0)
		_, unready := o.(client.HTTPAnswer)
		return !unready, o
	})
	return o
}

// gitPushShallow is gitPush from a clone of depth 1 that was given what the table names.
func (w *world) gitPushShallow(version int, rows [][]string) outcome {
	h := w.git.history
	var tips, others []string
	for _, row := range rows {
		tips = append(tips, h.oid(row[1]))
	}
	for _, oid := range slices.Sorted(maps.Keys(h.commits)) {
		if !slices.Contains(tips, oid) {
			others = append(others, oid)
		}
	}
	clone, out := w.gitCloneShallow(version)
	if !out.held() {
		return out.dueTo(restsOnShallow).asSetup()
	}
	if err := w.gitPlace().Add(w.ctx, clone, h.Pack(tips, others)); err != nil {
		return harnessError("%v", err)
	}
	return w.gitPush(clone, version, rows)
}

// gitPushed judges a push by git that has to be accepted. One that breaks off is tried again, unless it was done: then git
// should have been told so. Between us and a server that is not on loopback an answer may be lost.
func (w *world) gitPushed() outcome {
	a := w.stock.pushed
	done := w.gitMoved() && w.followed()
	switch {
	case done && !a.Well() && !w.run.loopback && !gitFailed.MatchString(a.Stderr):
		return outcome{verdict: Inconclusive, reason: "the push was done, but " + a.String()}
	case done && !a.Well():
		return violated("the push was done, and git was not told so: %v", a).dueTo(w.acceptedBy(w.git.pushed))
	case cutOff(a):
		w.stock.pushed = w.stock.repeat()
	}
	if out := w.well(w.stock.pushed); !out.held() {
		return out.dueTo(w.acceptedBy(w.git.pushed))
	}
	w.git.arrived = true
	return w.refsFollow("owner", w.git.pushed.rows).dueTo(w.acceptedBy(w.git.pushed))
}

// followed reports whether the refs were where the push wants them when it had ended.
func (w *world) followed() bool {
	after, seen := w.git.pushed.after.(client.Advert)
	return seen && !slices.ContainsFunc(w.git.pushed.rows, func(row []string) bool {
		oid, there := after.Ref(row[0])
		return there == (row[1] == deletion) || there && oid != w.git.history.oid(row[1])
	})
}

// gitPushedAgain tries a push that was refused again, and judges that it is accepted now.
func (w *world) gitPushedAgain() outcome {
	w.localRepository() // has what the state names
	w.stock.pushed = w.stock.repeat()
	return w.gitPushed()
}

// gitMoved reports whether the refs were seen to change by the push.
func (w *world) gitMoved() bool {
	was, _ := w.git.pushed.before.(client.Advert)
	is, seen := w.git.pushed.after.(client.Advert)
	return seen && moved(was, is)
}

// gitGarbled are sentences by which git tells that it could not read the answer to a push.
var gitGarbled = regexp.MustCompile(`protocol error|bad band|hung up|RPC failed|unexpected disconnect|bad line length`)

// gitRefused judges a push by git that has to be refused: git ends with an error, and no ref moved.
func (w *world) gitRefused() outcome {
	a := w.stock.pushed
	if out := unproven(a); !out.held() {
		return out
	}
	if w.gitMoved() {
		return violated("a push that has to be refused moved refs: from %v to %v", w.git.pushed.before, w.git.pushed.after)
	}
	if a.Well() {
		return violated("git took a push for done that moved nothing: %v", a)
	}
	if cutOff(a) && !gitReason.MatchString(a.Stderr) {
		w.pending = "a push that has to be refused ended in " + a.String()
	}
	return outcome{}
}

// gitReason is how git shows who refused a push and why.
var gitReason = regexp.MustCompile(`\[remote rejected\].*\(.+\)|remote error: \S|remote: \S`)

// gitTells judges that git showed its user why a push was refused, and nothing that it could not read. A refusal by a
// status of HTTP is one that git can tell by its number alone.
func (w *world) gitTells() outcome {
	a := w.stock.pushed
	if status := gitStatus.FindString(a.Stderr); status != "" {
		w.note("git shows a status alone: %s", status)
		return outcome{}
	}
	switch garbled := gitGarbled.FindString(a.Stderr); {
	case garbled != "":
		return violated("git could not read the refusal (%s): %v", garbled, a)
	case !gitReason.MatchString(a.Stderr):
		return violated("git shows no reason: %v", a)
	}
	return outcome{}
}

// gitWorksOrTells judges a push that may be too much for a server: it is accepted, or git shows the reason, and then nothing
// has moved. If not, the check goes on: what it asks behind this is another matter.
func (w *world) gitWorksOrTells() outcome {
	out := w.gitLargePush()
	if out.verdict == Fail {
		return violatedAs(w.check.Requirements[0], "%s", out.reason)
	}
	return out
}

func (w *world) gitLargePush() outcome {
	a := w.stock.pushed
	if a.Well() || cutOff(a) {
		return w.gitPushed()
	}
	if out := w.gitRefused(); !out.held() {
		return out
	}
	w.note("git's push is refused: %v", a)
	if status := gitStatus.FindStringSubmatch(a.Stderr); status != nil && status[1] != "413" {
		return violated("git shows no reason but a status: %v", a)
	}
	return w.gitTells()
}
