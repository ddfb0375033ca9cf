package suite

import (
	"bytes"
	"fmt"
	"net/http"
	"strings"

	"github.com/graspkit/graspkit/conformance/client"
)

// pathSteps speak of paths below the keys that are known to the server, and of what they must not lead to.
func pathSteps() []step {
	return []step{
		{
			text: `the answer shows nothing of the repository`,
			role: assertion, sees: pages, refuses: true,
			doc: "the last answer is no file: no success, or a page that holds nothing that a repository is made of",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.showsNoFile() },
		},
		{
			text: `no path below the {actor}'s key leads to (another's repository|the files of a repository|the files of the machine)`,
			role: assertion, sees: pages, refuses: true,
			doc: "however dots and slashes are escaped, below the key and below its repository, nothing of the kind is shown",
			run: func(w *world, a []string, _ [][]string) outcome { return w.staysInside(a[0], a[1]) },
		},
		{
			text: `a client pushes to the {actor}'s repository by a path below the {actor}'s key with {any}:`,
			role: act, sees: reports, cost: cost{pushes: 1},
			doc: "pushes the table by a path that begins with another key and leads, if the escape is followed, to the repository",
			run: func(w *world, a []string, table [][]string) outcome { return w.pushBy(a[0], a[1], a[2], table) },
		},
	}
}

// fileTraces are what files of a repository and of the machine hold, and no page does.
func fileTraces() []string {
	return []string{"ref: refs/", "P pack-", "[core]", "root:x:0:0", "Unnamed repository", "# pack-refs", "# service=git", "\trefs/heads/"}
}

// tracesIn returns what an answer shows of a file or of the lighthouse, or "".
func (w *world) tracesIn(answer client.HTTPAnswer) string {
	for _, trace := range append(fileTraces(), w.run.lighthouse.commits[2]) {
		if bytes.Contains(answer.Body, []byte(trace)) {
			return trace
		}
	}
	return ""
}

// showsNoFile judges that the dumb protocol is not spoken.
func (w *world) showsNoFile() outcome {
	answer, is := w.page.(client.HTTPAnswer)
	if !is || answer.Status >= http.StatusInternalServerError {
		if refusedBadly(w.page) {
			return w.refusedBadly("a file of a repository", w.page)
		}
		return unlessInconclusive("a file of a repository", w.page)
	}
	if trace := w.tracesIn(answer); trace != "" {
		return violated("the answer shows %q: %v", trace, answer)
	}
	page := strings.HasPrefix(answer.Header.Get("Content-Type"), "text/html")
	if answer.Status < http.StatusMultipleChoices && !page {
		return violated("the file is answered: %v", answer)
	}
	return outcome{}
}

// parents are ways to write a parent folder that are no dot segments by RFC 3986: no proxy may follow them.
func parents() []string {
	return []string{
		"..%2f", "..%2F", "%2e%2e%2f", "%2E%2E%2F", ".%2e%2f", "..%5c", "%2e%2e%5c", "..\\", "%252e%252e%252f", "..%252f",
		"%c0%ae%c0%ae%2f", "..;/", "..%00/", "..%00%2f", "...//", "....//",
	}
}

// staysInside walks every escape from below a key and from below its repository to what must not be shown there.
func (w *world) staysInside(actor, what string) outcome {
	return w.needLighthouse().then(func() outcome {
		key, repository := "/"+w.key(actor).Npub+"/", w.path(actor)+"/"
		var paths []string
		inside := strings.TrimPrefix(w.run.lighthouse.path(), "/")
		list := advertOf(client.UploadPack)
		ups := parents()
		if what == "the files of the machine" {
			ups = append(ups, "%2e%2e/", "../")
		}
		for _, up := range ups {
			switch what {
			case "another's repository":
				for _, to := range []string{inside, strings.ReplaceAll(inside, "/", "%2f"), strings.ReplaceAll(inside, "/", "%5c")} {
					paths = append(paths, key+up+to+list, repository+up+up+to+list, repository+up+to+list)
				}
			case "the files of a repository":
				for _, file := range []string{"config", "HEAD", "packed-refs"} {
					paths = append(paths, repository+"objects/"+up+file, repository+"info/"+up+file, repository+up+strings.TrimPrefix(w.path(actor), key)+"%2f"+file)
				}
			case "the files of the machine":
				far := strings.Repeat(up, 12)
				paths = append(paths, key+far+"etc/passwd", repository+far+"etc/passwd", repository+far+"etc%2fpasswd", key+far+"etc%2fpasswd", repository+"objects/"+far+"etc%2fpasswd")
			}
		}
		if what == "the files of a repository" {
			for _, file := range []string{"config", "HEAD", "packed-refs", "description", "hooks/update.sample"} {
				paths = append(paths, repository+file, repository+"./"+file, repository+"%2e/"+file, repository+"/"+file, repository+file+"?service=git-upload-pack", repository+file+"%00")
			}
		}
		return w.noneShows(paths)
	})
}

// noneShows asks for each path and judges that none shows a file, or the lighthouse.
func (w *world) noneShows(paths []string) outcome {
	for _, path := range paths {
		o := w.client.Get(w.ctx, path, nil)
		answer, is := o.(client.HTTPAnswer)
		if !is {
			if transport, broken := o.(client.TransportError); broken && transport.Phase == "request" {
				w.note("%s: %v", path, o) // a client of ours may not send it, and a server may hang up on it
				continue
			}
			return inconclusive(path, o)
		}
		if trace := w.tracesIn(answer); trace != "" {
			return violated("%s shows %q: %v", path, trace, answer)
		}
	}
	return outcome{}
}

// pushBy pushes to a repository by a path that begins with another key.
func (w *world) pushBy(actor, below, up string, table [][]string) outcome {
	ups := map[string]string{
		"an escaped slash": "..%2f", "everything escaped": "%2e%2e%2f", "a backslash": "..%5c", "two escapes": "%252e%252e%252f",
	}
	if ups[up] == "" {
		panic("suite: invariant: unknown escape " + up)
	}
	rows := w.refNames(table)
	p := push{actor: actor, rows: rows, before: w.client.Advertise(w.ctx, w.path(actor), client.ReceivePack, 0)}
	old, is := p.before.(client.Advert)
	if !is {
		return unable("advertisement before the push", p.before)
	}
	inner := strings.ReplaceAll(strings.TrimPrefix(w.path(actor), "/"), "/", "%2f")
	p.answer = w.client.Push(w.ctx, fmt.Sprintf("/%s/%s%s", w.key(below).Npub, ups[up], inner), w.pushOf(old, rows))
	p.after = w.client.Advertise(w.ctx, w.path(actor), client.ReceivePack, 0)
	w.git.pushed = p
	return outcome{}
}
