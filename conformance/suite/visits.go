package suite

import (
	"maps"
	"net/http"
	"regexp"
	"strings"

	"github.com/graspkit/graspkit/conformance/client"
)

// foreignOrigin is where the pages of web clients come from.
const foreignOrigin = "https://client.example.invalid"

// from has visits come from a page of another origin, or from somebody who names none.
func (w *world) from(who string) *world {
	w.origin = ""
	if who == "page" {
		w.origin = foreignOrigin
	}
	return w
}

// A visited answer is one that steps ask for by its name.
type visited struct {
	name       string
	lighthouse bool // it is asked below the lighthouse's path
	ask        func(w *world, path string) outcome
}

// answersByName are those answers: of every kind of page and endpoint, and of every way to be refused.
func answersByName() []visited {
	get := func(below string, header http.Header) func(*world, string) outcome {
		return func(w *world, path string) outcome { return w.visit(http.MethodGet, path+below, header, nil) }
	}
	post := func(service, body string) func(*world, string) outcome {
		return func(w *world, path string) outcome { return w.rpc(path, service, body) }
	}
	of := func(method, below string) func(*world, string) outcome {
		return func(w *world, path string) outcome { return w.visit(method, path+below, nil, nil) }
	}
	unknown := func(ask func(*world, string) outcome) func(*world, string) outcome {
		return func(w *world, _ string) outcome { return ask(w, w.unknownPath()) }
	}
	nothing := pkt("want "+strings.Repeat("1", 40)+"\n") + "0000" + pkt("done\n")
	return []visited{
		{"the relay information document", false, get("/", informationHeader())},
		{"the root", false, get("/", browserHeader())},
		{"the root as anything", false, get("/", http.Header{"Accept": {"*/*"}})},
		{"an unknown path", false, get(unknownPlace, browserHeader())},
		{"the icon of the service", false, get("/favicon.ico", nil)},
		{"the page of an unknown repository", false, unknown(get("", browserHeader()))},
		{"the advertisement of an unknown one", false, unknown(get(advertOf(client.UploadPack), nil))},
		{"the push advertisement of an unknown one", false, unknown(get(advertOf(client.ReceivePack), nil))},
		{"a fetch from an unknown one", false, unknown(post(client.UploadPack, nothing))},
		{"a push to an unknown one", false, unknown(post(client.ReceivePack, "0000"))},
		{"the head of the page of an unknown repository", false, unknown(of(http.MethodHead, ""))},
		{"the head of the advertisement of an unknown one", false, unknown(of(http.MethodHead, advertOf(client.UploadPack)))},
		{"the head of an unknown path", false, of(http.MethodHead, unknownPlace)},
		{"the advertisement of a bad npub", false, func(w *world, _ string) outcome {
			return get(advertOf(client.UploadPack), nil)(w, w.pathFiller().Replace("/{bad npub}/x.git"))
		}},
		{"a deletion of the root", false, of(http.MethodDelete, "/")},
		{"the relay information document as it was before", false, asBefore("/", informationHeader())},
		{"the root as it was before", false, asBefore("/", browserHeader())},
		{"a part of the relay information document", false, get("/", with(informationHeader(), "Range", "bytes=0-9"))},
		{"the relay information document, compressed", false, get("/", with(informationHeader(), "Accept-Encoding", "gzip"))},
		{"the root, compressed", false, get("/", with(browserHeader(), "Accept-Encoding", "gzip"))},
		{"a form sent to the root", false, func(w *world, _ string) outcome {
			return w.visit(http.MethodPost, "/", http.Header{"Content-Type": {"application/x-www-form-urlencoded"}}, []byte("a=b"))
		}},

		{"the page of an unknown repository of a known key", true, func(w *world, path string) outcome {
			return w.visit(http.MethodGet, unknownBeside(path), browserHeader(), nil)
		}},
		{"the page of a repository", true, get("", browserHeader())},
		{"the page of a repository as it was since", true, get("", http.Header{"If-None-Match": {"*"}, "Accept": {"text/html"}})},
		{"the page of a repository as it was before", true, asBefore("", browserHeader())},
		{"the page of a repository, compressed", true, get("", with(browserHeader(), "Accept-Encoding", "gzip"))},
		{"the page of a repository with a slash behind it", true, get("/", browserHeader())},
		{"the page of a repository without its suffix", true, func(w *world, path string) outcome {
			return w.visit(http.MethodGet, strings.TrimSuffix(path, ".git"), browserHeader(), nil)
		}},
		{"the head of the page of a repository", true, of(http.MethodHead, "")},
		{"the fetch advertisement as it was before", true, asBefore(advertOf(client.UploadPack), nil)},
		{"the fetch advertisement, compressed", true, get(advertOf(client.UploadPack), http.Header{"Accept-Encoding": {"gzip"}})},
		{"the head of the fetch advertisement", true, of(http.MethodHead, advertOf(client.UploadPack))},
		{"the fetch advertisement", true, get(advertOf(client.UploadPack), nil)},
		{"the push advertisement", true, get(advertOf(client.ReceivePack), nil)},
		{"the advertisement in version 2", true, get(advertOf(client.UploadPack), http.Header{"Git-Protocol": {"version=2"}})},
		{"the advertisement of no service", true, get("/info/refs", nil)},
		{"the advertisement of an unknown service", true, get(advertOf("git-x"), nil)},
		{"a list of refs", true, func(w *world, path string) outcome {
			header := rpcHeader(client.UploadPack)
			header.Set("Git-Protocol", "version=2")
			body := pkt("command=ls-refs\n") + "0001" + pkt("peel\n") + "0000"
			return w.visit(http.MethodPost, path+"/"+client.UploadPack, header, []byte(body))
		}},
		{"the result of a fetch", true, func(w *world, path string) outcome {
			want := w.wantLine(w.run.lighthouse.commits[2])
			return w.rpc(path, client.UploadPack, pkt(want)+"0000"+pkt("done\n"))
		}},
		{"the result of a refused fetch", true, post(client.UploadPack, nothing)},
		{"the result of a malformed fetch", true, post(client.UploadPack, "zzzz")},
		{"the answer to an unsigned push", true, func(w *world, path string) outcome { return w.unsignedPush(path) }},
		{"the answer to a push of nothing", true, post(client.ReceivePack, "0000")},
		{"the answer to an empty push", true, post(client.ReceivePack, "")},
		{"the answer to a malformed push", true, post(client.ReceivePack, "zzzz")},
		{"a fetch of another content type", true, func(w *world, path string) outcome {
			return w.visit(http.MethodPost, path+"/"+client.UploadPack, http.Header{"Content-Type": {"text/plain"}}, []byte(nothing))
		}},
		{"a push of another content type", true, func(w *world, path string) outcome {
			return w.visit(http.MethodPost, path+"/"+client.ReceivePack, http.Header{"Content-Type": {"text/plain"}}, []byte("0000"))
		}},
		{"a push of a broken compression", true, func(w *world, path string) outcome {
			header := rpcHeader(client.ReceivePack)
			header.Set("Content-Encoding", "gzip")
			return w.visit(http.MethodPost, path+"/"+client.ReceivePack, header, []byte("no gzip"))
		}},
		{"a deletion of a repository", true, of(http.MethodDelete, "")},
		{"a deletion of refs", true, of(http.MethodDelete, advertOf(client.UploadPack))},
		{"a form sent to the refs", true, of(http.MethodPost, advertOf(client.UploadPack))},
		{"a visit to the fetch endpoint", true, get("/"+client.UploadPack, nil)},
		{"a visit to the push endpoint", true, get("/"+client.ReceivePack, nil)},
		{"a file of a repository", true, get("/HEAD", nil)},
		{"an unknown place of a repository", true, get("/no/such/place", nil)},
	}
}

// with adds a line to a header.
func with(header http.Header, name, value string) http.Header {
	header.Set(name, value)
	return header
}

// asBefore asks for something a second time as who has kept the first answer does: by the marks that this one had for it.
func asBefore(below string, header http.Header) func(*world, string) outcome {
	return func(w *world, path string) outcome {
		w.visit(http.MethodGet, path+below, header, nil)
		return w.visit(http.MethodGet, path+below, w.asKept(header), nil)
	}
}

// asKept is the header of who has kept the last answer, and asks for another one than that.
func (w *world) asKept(header http.Header) http.Header {
	again := http.Header{}
	maps.Copy(again, header)
	if answer, is := w.page.(client.HTTPAnswer); is {
		for mark, condition := range map[string]string{"Etag": "If-None-Match", "Last-Modified": "If-Modified-Since"} {
			if value := answer.Header.Get(mark); value != "" {
				again.Set(condition, value)
			}
		}
	}
	return again
}

// pageNames judges that the last answer is about an object id. How soon one has to name it is judged elsewhere.
func (w *world) pageNames(oid string) outcome {
	answer, is := w.page.(client.HTTPAnswer)
	switch {
	case !is:
		return unlessInconclusive("the answer", w.page)
	case answer.Status != http.StatusOK:
		return violated("what has changed is answered %d", answer.Status)
	case !strings.Contains(string(answer.Body), oid):
		w.note("the answer does not name %s yet", oid)
	}
	return outcome{}
}

// unknownBeside is the path of a repository that nobody announced, below the key of one that is there.
func unknownBeside(path string) string { return strings.TrimSuffix(path, ".git") + "-unknown.git" }

// namedAnswers are the names, as the text of a step.
func namedAnswers() []string {
	var names []string
	for _, v := range answersByName() {
		names = append(names, regexp.QuoteMeta(v.name))
	}
	return names
}

// visitNamed asks for one of those answers.
func (w *world) visitNamed(what string) outcome {
	for _, v := range answersByName() {
		switch {
		case v.name != what:
		case !v.lighthouse:
			return v.ask(w, "")
		default:
			return w.needLighthouse().then(func() outcome { return v.ask(w, w.run.lighthouse.path()) })
		}
	}
	panic("suite: invariant: unknown answer " + what)
}

// rpcHeader is the header of a request to a git endpoint.
func rpcHeader(service string) http.Header {
	return http.Header{
		"Content-Type": {"application/x-" + service + "-request"},
		"Accept":       {"application/x-" + service + "-result"},
	}
}

// rpc posts a body to a git endpoint.
func (w *world) rpc(path, service, body string) outcome {
	return w.visit(http.MethodPost, path+"/"+service, rpcHeader(service), []byte(body))
}

// unsignedPush pushes a branch that no state names.
func (w *world) unsignedPush(path string) outcome {
	return w.rpc(path, client.ReceivePack, string(client.PushBody(w.unsigned())))
}

// visitSigned makes a repository and pushes to it what its state says, or, to one that is served, what a pull request names.
// That the push is taken is judged elsewhere: here it is what the check rests on.
func (w *world) visitSigned(pull bool) outcome {
	rows := [][]string{{"refs/heads/main", "first"}}
	set := func() outcome {
		if pull {
			return w.serve(announcing{actor: "owner"}, rows).then(func() outcome {
				ev := w.buildPull(pulling{actor: "contributor", label: "pull request", commit: "side"})
				rows = [][]string{{refOf(ev), "side"}}
				return w.publish(ev).then(w.accepted)
			})
		}
		return w.announce(announcing{actor: "owner"}).then(w.accepted).then(func() outcome {
			return w.publishState("owner", "", w.tick(), rows).then(w.accepted)
		})
	}
	if out := w.asPrecondition(set); !out.held() {
		return out
	}
	answered := w.advertise(w.path("owner"), client.ReceivePack)
	old, is := answered.(client.Advert)
	if !is {
		return unable("advertisement", answered).dueTo(restsOnRepository)
	}
	opts := w.pushOf(old, rows)
	opts.Caps = client.CapsFor(old)
	w.rpc(w.path("owner"), client.ReceivePack, string(client.PushBody(opts)))
	answer, _ := w.page.(client.HTTPAnswer)
	report, _ := answer.Report() // without one nothing was taken
	if line, told := report.Ref(rows[0][0]); !told || !line.OK {
		return unable("a push that is signed", w.page).dueTo(restsOnPush)
	}
	return outcome{}
}
