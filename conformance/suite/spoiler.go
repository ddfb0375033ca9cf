package suite

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/graspkit/graspkit/conformance/client"
)

// A spoiler changes a push before it is sent; nil changes nothing.
type spoiler func(w *world, opts *client.PushOpts)

// forms are the names of all spoilers as alternatives of an expression.
func forms() string { return strings.Join(slices.Sorted(maps.Keys(spoilers())), "|") }

// spoilers are the forms of pushes that steps name. Those of the command list are written as git itself,
// or a parser like git's, might read them (G01-PUSH-20).
func spoilers() map[string]spoiler {
	return map[string]spoiler{
		"with a truncated pack":            truncated,
		"with a corrupted pack":            corrupted,
		"with a pack that lacks a tree":    withoutTree,
		"with a pack that lacks a parent":  withoutParent,
		"with a pack that lacks a file":    withoutFile,
		"with an empty pack":               func(w *world, o *client.PushOpts) { o.Pack = w.git.history.PackObjects() },
		"with deltas by offset":            deltas(client.ByOffset),
		"with deltas by name":              deltas(client.ByName),
		"with deltas of what is there":     deltas(client.Elsewhere),
		"from a shallow clone":             fromShallow,
		"compressed":                       func(_ *world, o *client.PushOpts) { o.Wire.Gzip = true },
		"compressed and cut short":         func(_ *world, o *client.PushOpts) { o.Wire.Cut = true },
		"in chunks":                        func(_ *world, o *client.PushOpts) { o.Wire.Chunked = true },
		"compressed and in chunks":         func(_ *world, o *client.PushOpts) { o.Wire = client.Wire{Gzip: true, Chunked: true} },
		"behind a request to go on":        func(_ *world, o *client.PushOpts) { o.Wire.Continue = true },
		"inside a certificate":             certified(inOne),
		"inside a certificate of lines":    certified(lineByLine),
		"with capabilities without a gap":  listed(command{gap: ""}, "0000"),
		"with line feeds":                  listed(command{gap: " ", end: "\n"}, "0000"),
		"with ids in upper case":           listed(command{gap: " ", fold: strings.ToUpper}, "0000"),
		atomically:                         func(_ *world, o *client.PushOpts) { o.Caps = claimed(*o) + " atomic" },
		"with push options":                listed(command{gap: " ", caps: " push-options"}, "0000"+pkt("x=y")+"0000"),
		"without capabilities":             listed(command{bare: true}, "0000"),
		"with capabilities in each line":   listed(command{gap: " ", each: true}, "0000"),
		"behind an empty list":             prefixed("0000"),
		"behind a delimiter":               prefixed("0001"),
		"behind a response end":            prefixed("0002"),
		"with a delimiter inside the list": divided("0001"),
		"with a flush inside the list":     divided("0000"),
		"in a list of 1100 commands":       crowded,
		"with each command twice":          twice,
		"with two values for each ref":     twoValues,
		"with carriage returns":            listed(command{gap: " ", end: "\r"}, "0000"),
		"with two spaces":                  listed(command{gap: " ", wide: true}, "0000"),
		"with shallow lines in the list":   shallowBetween,
		"from a shallow clone of two ends": fromShallowOfTwo,

		"with all that a clone of depth 1 has": ofDepth(1),
		"with all that a clone of depth 2 has": ofDepth(2),

		"inside a certificate in pieces":      certified(inPieces),
		"inside a certificate in one list":    certified(inOneList),
		"behind an empty line":                prefixed("0004"),
		"with an empty line inside the list":  divided("0004"),
		"with a response end inside the list": divided("0002"),
		"with tabs":                           listed(command{gap: " ", sep: "\t"}, "0000"),
		"with vertical tabs":                  listed(command{gap: " ", sep: "\v"}, "0000"),
		"with a blank at the end":             listed(command{blank: " ", gap: " "}, "0000"),
		"with a second zero byte":             listed(command{gap: " ", end: "\x00x"}, "0000"),
		"with lengths in upper case":          listed(command{gap: " ", upper: true}, "0000"),
		"with ids of 64 digits":               listed(command{gap: " ", fold: longer}, "0000"),
		"with ids of 7 digits":                listed(command{gap: " ", fold: shorter}, "0000"),
		"without the side-band":               withoutSideBand,

		"with a query":                   func(_ *world, o *client.PushOpts) { o.Wire.Query = "?x" },
		"with a parameter of its type":   func(_ *world, o *client.PushOpts) { o.Wire.Type = pushType + "; charset=utf-8" },
		"with its type in other letters": func(_ *world, o *client.PushOpts) { o.Wire.Type = strings.ToUpper(pushType) },
		"with the type of anything":      func(_ *world, o *client.PushOpts) { o.Wire.Type = "application/octet-stream" },
		"without a type":                 func(_ *world, o *client.PushOpts) { o.Wire.Type = client.NoType },
	}
}

// pushType is the content type of a push.
const pushType = "application/x-git-receive-pack-request"

// truncated cuts the pack in the middle.
func truncated(_ *world, opts *client.PushOpts) { opts.Pack = opts.Pack[:len(opts.Pack)/2] }

// corrupted flips one bit in the middle of the pack; its checksum then is wrong as well.
func corrupted(_ *world, opts *client.PushOpts) { opts.Pack[len(opts.Pack)/2] ^= 1 }

// withoutTree leaves the tree of the tip out of the pack.
func withoutTree(w *world, opts *client.PushOpts) {
	tip, olds := tipOf(opts)
	without := append(w.git.history.Closure(olds...), w.git.history.Tree(tip))
	kept := slices.DeleteFunc(w.git.history.Closure(tip), func(oid string) bool { return slices.Contains(without, oid) })
	opts.Pack = w.git.history.PackObjects(kept...)
}

// withoutFile leaves one file of the tip out, and nothing that leads to another.
func withoutFile(w *world, opts *client.PushOpts) {
	tip, olds := tipOf(opts)
	there := w.git.history.Closure(olds...)
	kept := slices.DeleteFunc(w.git.history.Closure(tip), func(oid string) bool { return slices.Contains(there, oid) })
	at := slices.IndexFunc(kept, func(oid string) bool { return w.git.history.Objects(oid)[0].Type == "blob" })
	opts.Pack = w.git.history.PackObjects(slices.Delete(kept, at, at+1)...)
}

// withoutParent leaves out everything but the tip and what its own tree holds.
func withoutParent(w *world, opts *client.PushOpts) {
	tip, _ := tipOf(opts)
	opts.Pack = w.git.history.PackObjects(append([]string{tip}, w.git.history.Closure(w.git.history.Tree(tip))...)...)
}

const atomically = "with the capability atomic"

// takesForm ends a check whose push has deltas of a sort, or a capability, that the server does not ask for: git would not send it any.
func (w *world) takesForm(actor, form string) outcome {
	if !strings.HasPrefix(form, "with deltas ") && form != atomically {
		return outcome{}
	}
	advert, is := w.advertise(w.path(actor), client.ReceivePack).(client.Advert)
	if !is {
		return outcome{} // the push says what is wrong
	}
	_, byOffset := advert.Cap("ofs-delta")
	_, whole := advert.Cap("no-thin")
	_, atomic := advert.Cap("atomic")
	if form == atomically && !atomic || form == "with deltas by offset" && !byOffset || form == "with deltas of what is there" && whole {
		return notApplicable("pushes %s are not asked for: the capabilities are %v", form, advert.Caps)
	}
	return outcome{}
}

// deltas tells objects by what they are like, as git does wherever that is shorter.
func deltas(by client.DeltaBase) spoiler {
	return func(w *world, opts *client.PushOpts) {
		tip, olds := tipOf(opts)
		opts.Pack = w.git.history.DeltaPack([]string{tip}, olds, by)
	}
}

// tipOf is the last new object of a push, and the old ones.
func tipOf(opts *client.PushOpts) (tip string, olds []string) {
	for _, c := range opts.Commands {
		if c.New != client.ZeroOID {
			tip = c.New
		}
		if c.Old != client.ZeroOID {
			olds = append(olds, c.Old)
		}
	}
	return tip, olds
}

// fromShallow says, as a clone of depth 1 does, that the history ends at what the refs hold.
func fromShallow(w *world, opts *client.PushOpts) {
	if _, opts.Shallow = tipOf(opts); opts.Shallow == nil {
		opts.Shallow = []string{w.git.history.oid("second")} // a new branch, on top of the other one
	}
}

// fromShallowOfTwo says that the history ends at two commits, of which only one is below what is pushed.
func fromShallowOfTwo(w *world, opts *client.PushOpts) {
	fromShallow(w, opts)
	opts.Shallow = append(opts.Shallow, w.git.history.oid("side"))
}

// ofDepth pushes from a clone that has so many commits of a line: its end is told, and nothing below it is in the pack.
func ofDepth(n int) spoiler {
	return func(w *world, opts *client.PushOpts) {
		line := []string{"third", "second", "first"}[:n]
		var has []string
		for _, name := range line {
			commit := w.git.history.oid(name)
			has = append(append(has, commit), w.git.history.Closure(w.git.history.Tree(commit))...)
			opts.Shallow = []string{commit}
		}
		slices.Sort(has)
		opts.Pack = w.git.history.PackObjects(slices.Compact(has)...)
	}
}

// withoutSideBand claims everything but the side-band.
func withoutSideBand(_ *world, opts *client.PushOpts) { opts.Caps, opts.NoSideband = "", true }

// outdated gives a push the old values of an earlier advertisement.
func outdated(seen client.Observation) spoiler {
	return func(_ *world, opts *client.PushOpts) {
		advert, _ := seen.(client.Advert)
		for i := range opts.Commands {
			opts.Commands[i].Old = client.ZeroOID
			if oid, ok := advert.Ref(opts.Commands[i].Ref); ok {
				opts.Commands[i].Old = oid
			}
		}
	}
}

// certified hides the commands in a push certificate. Git joins its packets and reads lines of what that is, wherever they were cut.
func certified(cut func(head string, commands []string) []string) spoiler {
	return func(w *world, opts *client.PushOpts) {
		head := fmt.Sprintf("certificate version 0.1\npusher nobody <nobody@example.invalid> %d +0000\n\n", w.client.Now())
		var commands []string
		for _, c := range opts.Commands {
			commands = append(commands, fmt.Sprintf("%s %s %s\n", c.Old, c.New, c.Ref))
		}
		body := pkt("push-cert\x00 " + client.CapsDefault + "\n")
		for _, part := range cut(head, commands) {
			body += pkt(part)
		}
		opts.RawBody = append([]byte(body+pkt("push-cert-end\n")+"0000"), opts.Pack...)
	}
}

// inOne puts a certificate into one packet.
func inOne(head string, commands []string) []string {
	return []string{head + strings.Join(commands, "")}
}

// inOneList puts the commands of a certificate into one packet, and each line before them into one of its own.
func inOneList(head string, commands []string) []string {
	return append(slices.Collect(strings.Lines(head)), strings.Join(commands, ""))
}

// lineByLine is how git writes a certificate.
func lineByLine(head string, commands []string) []string {
	return append(slices.Collect(strings.Lines(head)), commands...)
}

// inPieces cuts each command in the middle.
func inPieces(head string, commands []string) []string {
	pieces := slices.Collect(strings.Lines(head))
	for _, c := range commands {
		pieces = append(pieces, c[:len(c)/2], c[len(c)/2:])
	}
	return pieces
}
