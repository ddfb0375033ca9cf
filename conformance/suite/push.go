package suite

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/spec"
	"github.com/graspkit/graspkit/conformance/target"
)

// A push is one attempt as a step describes it, with what was seen around it.
type push struct {
	actor         string     // whose repository
	rows          [][]string // ref and object, or ref and deletion
	before, after client.Observation
	answer        client.Observation
	earlier       client.Observation   // the answer to the push before
	together      []client.Observation // the answers to all of several equal pushes at once
	known         bool                 // an earlier push has sent all tips, so that the server may move the refs by itself
	spoil         spoiler
	bulky         bool   // it brings more than a server has to take
	beside        string // what was under way at the same time, "" for nothing
}

// deletion stands for no object in tables.
const deletion = "(delete)"

// push sends a push with the old values that the server advertises, and looks at the refs before and
// after it.
func (w *world) push(actor string, rows [][]string, spoil spoiler) outcome {
	path := w.path(actor)
	rows = w.refNames(rows)
	w.placing(rows)
	p := push{actor: actor, rows: rows, earlier: w.git.pushed.answer, spoil: spoil}
	p.before = w.advertise(path, client.ReceivePack)
	if client.Inconclusive(p.before) {
		return inconclusive("advertisement before the push", p.before)
	}
	old, known := p.before.(client.Advert)
	p.known = w.sentBefore(rows)
	opts := w.pushOf(old, rows)
	if spoil == nil && len(old.Refs) > 0 && w.git.arrived { // a server may have pruned what is to be deleted
		opts.Commands = slices.DeleteFunc(opts.Commands, func(c client.Command) bool {
			return c.Old == client.ZeroOID && c.New == client.ZeroOID
		})
	}
	if known {
		if out := w.offered(old, opts.Commands); !out.held() {
			return out
		}
		opts.Caps = client.CapsFor(old)
	}
	if spoil != nil {
		spoil(w, &opts)
	}
	if spoil == nil && len(rows) > 0 && len(opts.Commands) == 0 {
		p.answer, p.after = doneAlready(rows), p.before
		w.git.pushed = p
		return outcome{}
	}
	p.bulky = opts.Large != nil || len(opts.Pack) > bulkyFrom
	p.answer = w.pushInto(path, opts)
	p.after = w.client.Advertise(w.ctx, path, client.ReceivePack, 0)
	w.git.pushed = p
	return outcome{}
}

// pushOf makes commands and pack.
func (w *world) pushOf(old client.Advert, rows [][]string) client.PushOpts {
	var opts client.PushOpts
	var tips, present []string
	for _, ref := range old.Refs {
		if w.git.history.commits[ref.OID] {
			present = append(present, ref.OID)
		}
	}
	for _, row := range rows {
		c := client.Command{Ref: w.refName(row[0]), Old: client.ZeroOID, New: client.ZeroOID}
		if oid, ok := old.Ref(c.Ref); ok {
			c.Old = oid
		}
		if row[1] != deletion {
			c.New = w.git.history.oid(row[1])
			tips = append(tips, c.New)
		}
		opts.Commands = append(opts.Commands, c)
	}
	for _, oid := range w.git.history.Closure(tips...) {
		w.git.history.sent[oid] = true
	}
	switch {
	case len(tips) > 0 && isLarge(w.check):
		opts.Large = w.git.history.PackStream(tips, present)
	case len(tips) > 0:
		opts.Pack = w.git.history.Pack(tips, present)
	}
	return opts
}

// succeeded judges a push that has to be accepted.
func (w *world) succeeded() outcome {
	if w.doneUntold() {
		w.git.arrived = true
		return outcome{}
	}
	if out := w.unansweredBeside(func() {}); !out.held() {
		return out
	}
	if out := w.pushedAgain().then(w.overtaken); !out.held() {
		return out.dueTo(w.acceptedBy(w.git.pushed))
	}
	if out := w.placeLimited(); !out.held() {
		return out
	}
	report, is := w.git.pushed.answer.(client.PushReport)
	switch {
	case w.git.pushed.tooLarge():
		return outcome{verdict: Unsupported, reason: fmt.Sprintf("push: %v: the server takes no pushes of this size", w.git.pushed.answer)}
	case !is:
		return toldNo(unlessInconclusive("push", w.git.pushed.answer)).dueTo(w.acceptedBy(w.git.pushed))
	case !report.Accepted():
		return toldNo(violated("push: %v", report)).dueTo(w.acceptedBy(w.git.pushed))
	}
	w.git.arrived = true
	return w.refsFollow(w.git.pushed.actor, w.git.pushed.rows).dueTo(w.acceptedBy(w.git.pushed))
}

// bulkyFrom is from how many bytes on a server may say that a push is too large. Every repository has smaller ones.
const bulkyFrom = 1 << 20

// tooLarge reports whether a push was refused for its size, by the status for that. What a server takes has no bound in the text.
func (p push) tooLarge() bool {
	answer, is := p.answer.(client.HTTPAnswer)
	return is && p.bulky && answer.Status == http.StatusRequestEntityTooLarge
}

// refsFollow waits for the refs of a push to be there.
func (w *world) refsFollow(actor string, rows [][]string) outcome {
	return w.eventually(actor, 0, func(advert client.Advert) string {
		for _, row := range rows {
			oid, there := advert.Ref(row[0])
			switch {
			case row[1] == deletion && there:
				return row[0] + " is still there"
			case row[1] != deletion && oid != w.git.history.oid(row[1]):
				return fmt.Sprintf("%s is at %q, want %s (%s)", row[0], oid, w.git.history.oid(row[1]), row[1])
			}
		}
		return ""
	})
}

// refsWithin is the bound of refs, of HEAD and of a new repository, which the text gives the same time as a release.
const refsWithin = max(spec.ReleaseWithin, spec.HeadWithin, spec.RepositoryWithin)

// eventually asks for the advertisement for fetches until wrong finds nothing wrong with it, for as long as it takes. An answer that
// breaks its protocol is not waited out, unless the repository may still be made.
func (w *world) eventually(actor string, version int, wrong func(client.Advert) string) outcome {
	return w.within(0, actor, client.UploadPack, version, wrong)
}

// within is eventually with a bound that is judged, if there is one.
func (w *world) within(judged time.Duration, actor, service string, version int, wrong func(client.Advert) string) outcome {
	var complaint string
	var broken client.Observation
	bound, whole := w.run.patience(&w.run.releases, judged)
	start := w.run.target.Now()
	at := w.rooms[w.path(actor)]
	done, o := w.client.Poll(w.ctx, bound, func() (bool, client.Observation) {
		o := w.client.Advertise(w.ctx, w.path(actor), service, version)
		complaint, broken = "", nil
		switch o := o.(type) {
		case client.Advert:
			complaint = wrong(o)
			return complaint == "", o
		case client.BadAnswer:
			if at == nil || at.there {
				broken = o
			}
			return broken != nil, o
		}
		return false, o
	})
	if _, late := o.(client.Late); late && judged == 0 {
		done = true
	}
	switch {
	case broken != nil:
		return unlessInconclusive("advertisement", broken).dueTo(restsOnRepository)
	case done:
		w.seen(at)
		w.run.came(&w.run.releases, w.run.target.Now().Sub(start))
		return outcome{}
	case client.Inconclusive(o):
		return inconclusive("advertisement", o)
	}
	w.run.ranOut(&w.run.releases, judged)
	if complaint != "" {
		return w.unlessOverdue(complaint, start, inVain(whole, "%s, %v after it should be", complaint, bound))
	}
	return inVain(whole, "advertisement: %v", o).dueTo(restsOnRepository)
}

// refused judges a push that has to be refused: a typed refusal, and refs as they were.
func (w *world) refused() outcome {
	p := w.git.pushed
	what := "a push that has to be refused"
	if report, is := p.answer.(client.PushReport); is && report.Accepted() {
		return violated("%s was accepted: %v", what, report)
	}
	if out := w.unchanged(); !out.held() {
		return out
	}
	if _, refused := client.Refusal(p.answer); refused {
		return outcome{}
	}
	if w.wordless(p.answer) {
		return outcome{}
	}
	if refusedBadly(p.answer) {
		return w.refusedBadly(what, p.answer)
	}
	return unlessInconclusive(what, p.answer)
}

// wordless reports whether a push that changed nothing was answered with success and nothing that git could read. Who is
// refused so is refused all the same, as by a hook that ends the server's child; whether the user learns the reason is a
// matter of its own.
func (w *world) wordless(o client.Observation) bool {
	bad, is := o.(client.BadAnswer)
	if !is || bad.HTTP.Status != http.StatusOK {
		return false
	}
	w.note("the refusal is no report: %s", bad.Text)
	return true
}

// unchanged judges that the advertisements before and after the push tell the same.
func (w *world) unchanged() outcome {
	before, was := w.git.pushed.before.(client.Advert)
	after, is := w.git.pushed.after.(client.Advert)
	switch {
	case client.Inconclusive(w.git.pushed.before):
		return inconclusive("advertisement before the push", w.git.pushed.before)
	case client.Inconclusive(w.git.pushed.after):
		return inconclusive("advertisement after the push", w.git.pushed.after)
	case was && is && moved(before, after):
		return violated("the refs changed: from %v to %v; the answer was %v", before, after, w.git.pushed.answer)
	case was != is:
		return violated("the repository changed: from %v to %v", w.git.pushed.before, w.git.pushed.after)
	}
	return outcome{}
}

// refRefused judges that one ref of a push was refused, whatever became of the others.
func (w *world) refRefused(ref string) outcome {
	ref = w.refName(ref)
	report, _ := w.git.pushed.answer.(client.PushReport)
	line, told := report.Ref(ref)
	after, is := w.git.pushed.after.(client.Advert)
	if !is {
		return unlessInconclusive("advertisement after the push", w.git.pushed.after)
	}
	before, _ := w.git.pushed.before.(client.Advert)
	was, had := before.Ref(ref)
	if now, there := after.Ref(ref); there != had || now != was || (told && line.OK) {
		return violated("%s was accepted: %v", ref, w.git.pushed.answer)
	}
	if _, refused := client.Refusal(w.git.pushed.answer); refused {
		return outcome{}
	}
	if w.wordless(w.git.pushed.answer) {
		return outcome{}
	}
	if refusedBadly(w.git.pushed.answer) {
		return w.refusedBadly("a push with "+ref, w.git.pushed.answer)
	}
	return unlessInconclusive("a push with "+ref, w.git.pushed.answer)
}

// pushTwin pushes what has to be accepted. Refs that the server has moved by itself need no push.
func (w *world) pushTwin(actor string, rows [][]string) outcome {
	rows = w.refNames(rows)
	o := w.client.Advertise(w.ctx, w.path(actor), client.ReceivePack, 0)
	if advert, is := o.(client.Advert); is {
		if rows = w.left(advert, rows); len(rows) == 0 {
			return outcome{}
		}
	}
	return w.push(actor, rows, nil).then(w.succeeded)
}

// doneAlready is the report of a push that the server has made needless.
func doneAlready(rows [][]string) client.PushReport {
	report := client.PushReport{Unpack: "ok"}
	for _, row := range rows {
		report.Refs = append(report.Refs, client.RefReport{Name: row[0], OK: true})
	}
	return report
}

// left are the rows whose refs are not yet as they ask.
func (w *world) left(advert client.Advert, rows [][]string) [][]string {
	return slices.DeleteFunc(slices.Clone(rows), func(row []string) bool {
		oid, there := advert.Ref(row[0])
		return row[1] == deletion && !there || row[1] != deletion && oid == w.git.history.oid(row[1])
	})
}

// pkt frames one line of the git protocol.
func pkt(line string) string { return fmt.Sprintf("%04x%s", len(line)+4, line) }

// passed turns the observation of a wait into an outcome.
func passed(o client.Observation) outcome {
	if o == nil {
		return outcome{}
	}
	if broken, is := o.(client.TransportError); is && errors.Is(broken.Err, target.ErrUnsupported) {
		return blocked("the target cannot wait so long", "--time-budget 36m")
	}
	return inconclusive("wait", o)
}
