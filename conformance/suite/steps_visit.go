package suite

import (
	"net/http"
	"strings"
	"time"

	"github.com/graspkit/graspkit/conformance/client"
)

func visitSteps() []step {
	return []step{
		{
			text: `a visitor asks for the malformed path (/.+)`,
			role: act, sees: pages,
			doc: "asks for a path that leads nowhere, with the words in braces filled in",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.visit(http.MethodGet, w.pathFiller().Replace(a[0]), nil, nil)
			},
		},
		{
			text: `a visitor asks for the (fetch|push) advertisement of the {actor}'s repository`,
			role: act, sees: pages,
			doc: "asks for the advertisement of upload-pack or receive-pack",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.visitEndpoint("the "+a[0]+" advertisement", w.path(a[1]))
			},
		},
		{
			text: `a visitor who has kept that answer asks again for the (fetch|push) advertisement of the {actor}'s repository`,
			role: act, sees: pages,
			doc: "asks for the advertisement on the condition that it is another one, by the marks (Etag, Last-Modified) of the last answer; without marks, as before",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.visit(http.MethodGet, w.path(a[1])+advertOf("git-"+map[string]string{"fetch": "upload", "push": "receive"}[a[0]]+"-pack"), w.asKept(nil), nil)
			},
		},
		{
			text: `the answer to the visitor names the commit (\w+)`,
			role: assertion, sees: pages,
			doc: "the answer is 200: who has an older one is not told that nothing has changed; that it does not name the commit yet is noted",
			run: func(w *world, a []string, _ [][]string) outcome { return w.pageNames(w.git.history.oid(a[0])) },
		},
		{
			text: `a visitor sends (\w+) to the (fetch|push) (advertisement|endpoint) of the lighthouse(?: with the content type (\S+))? ?`,
			role: act, sees: pages,
			doc: "sends a request of this method to an endpoint of the lighthouse",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.visitLighthouse(a[0], a[1], a[2], a[3])
			},
		},
		{
			text: `a visitor sends (\w+) to the relay URL`,
			role: act, sees: pages,
			doc: "sends a request of this method to the root",
			run: func(w *world, a []string, _ [][]string) outcome { return w.visitRoot(a[0]) },
		},
		{
			text: `a visitor asks leave to send the header (\S+)`,
			role: act, sees: pages,
			doc: "asks by preflight for a request header",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.visit(http.MethodOptions, "/", http.Header{
					"Origin":                         {foreignOrigin},
					"Access-Control-Request-Method":  {"POST"},
					"Access-Control-Request-Headers": {"content-type," + a[0]},
				}, nil)
			},
		},
		{
			text: `a visitor opens the root`,
			role: act, sees: pages,
			doc: "asks for the root as a browser does",
			run: func(w *world, _ []string, _ [][]string) outcome {
				return w.visit(http.MethodGet, "/", browserHeader(), nil)
			},
		},
		{
			text: `a visitor opens the page of the {actor}'s repository`,
			role: act, sees: pages,
			doc: "asks for the repository's page as a browser does, which goes where it is led",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.visit(http.MethodGet, w.path(a[0]), browserHeader(), nil).then(w.goOn)
			},
		},
		{
			text: `the page of the {actor}'s repository is gone within 10 seconds`,
			role: assertion, sees: pages, within: removedWithin,
			doc: "what a browser gets for the page becomes 404 or 410, within the bound of the repository itself",
			run: func(w *world, a []string, _ [][]string) outcome { return w.pageGone(a[0], removedWithin) },
		},
		{
			text: `a visitor saw the page of the {actor}'s repository`,
			role: setUp, sees: pages,
			doc: "opens that page; a server that shows none is not judged",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.visit(http.MethodGet, w.path(a[0]), browserHeader(), nil).then(w.goOn).then(w.sawPage)
			},
		},
		{
			text: `a visitor asks for the relay information document by the words "(.+)"`,
			role: act, sees: pages,
			doc: "asks for the root with these words in the header Accept",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.visit(http.MethodGet, "/", http.Header{"Accept": {a[0]}}, nil)
			},
		},
		{
			text: `a visitor asks for a WebSocket by the connection "(.+)" and the upgrade "(.+)"`,
			role: act, sees: pages,
			doc: "asks for the root with these words in the headers Connection and Upgrade",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.visit(http.MethodGet, "/", upgradeHeader(a[0], a[1]), nil)
			},
		},
		{
			text: `the answer is a WebSocket`,
			role: assertion, sees: pages,
			doc: "the last answer switches to it; if not, the plainest request shows that there is one",
			run: func(w *world, _ []string, _ [][]string) outcome { return w.upgraded() },
		},
		{
			text: `a visitor asks for the preflight of {any}`,
			role: act, sees: pages,
			doc: "asks as a browser does before it sends a request to another origin",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.preflight(a[0], http.Header{
					"Origin":                         {foreignOrigin},
					"Access-Control-Request-Method":  {"POST"},
					"Access-Control-Request-Headers": {"content-type"},
				})
			},
		},
		{
			text: `a visitor asks leave for (GET|other headers) at {any}`,
			role: act, sees: pages,
			doc: "asks as a browser does before it sends a GET with a content type, or a POST with headers that the text does not name",
			run: func(w *world, a []string, _ [][]string) outcome {
				method, names := http.MethodGet, "content-type"
				if a[0] != method {
					method, names = http.MethodPost, "content-type,git-protocol,x-client"
				}
				return w.preflight(a[1], http.Header{
					"Origin":                         {foreignOrigin},
					"Access-Control-Request-Method":  {method},
					"Access-Control-Request-Headers": {names},
				})
			},
		},
		{
			text: `a visitor asks for the options of {any}`,
			role: act, sees: pages,
			doc: "sends OPTIONS without the headers by which a browser asks for leave",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.preflight(a[0], nil)
			},
		},
		{
			text: `a visitor asks for (the .+ (?:advertisement|endpoint)) of an unknown repository`,
			role: act, sees: pages,
			doc: "asks for an endpoint of a repository that nobody announced",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.visitEndpoint(a[0], w.unknownPath())
			},
		},
		{
			text: `a visitor asks for (the .+ (?:advertisement|endpoint)) of an unknown repository of a known key`,
			role: act, sees: pages,
			doc: "asks for an endpoint of a repository that the lighthouse's key has not announced",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.needLighthouse().then(func() outcome { return w.visitEndpoint(a[0], unknownBeside(w.run.lighthouse.path())) })
			},
		},
		{
			text: `a (visitor|page) asks for (` + strings.Join(namedAnswers(), "|") + `)`,
			role: act, sees: pages,
			doc: "asks for the answer named; a page of another origin says from where it asks",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.from(a[0]).visitNamed(a[1])
			},
		},
		{
			text: `a (visitor|page) pushes what (the owner signed|a pull request names)`,
			role: act, sees: pages, cost: cost{events: 3, pushes: 1},
			doc: "pushes to a repository of the check what has to be accepted, and keeps the HTTP answer",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.from(a[0]).visitSigned(a[1] == "a pull request names")
			},
		},
		{
			text: `the fetch advertisement of the lighthouse is answered`,
			role: twin, sees: advertised,
			doc: "an advertisement that names the lighthouse's branch is answered",
			run: func(w *world, _ []string, _ [][]string) outcome {
				_, out := w.listLighthouse(0)
				return out
			},
		},
	}
}

func advertOf(service string) string { return "/info/refs?service=" + service }

// browserHeader is how a browser asks for a page.
func browserHeader() http.Header {
	return http.Header{"Accept": {"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"}}
}

// visit performs one exchange and keeps its answer.
func (w *world) visit(method, path string, header http.Header, body []byte) outcome {
	if header.Get("Origin") == "" && w.origin != "" {
		header = header.Clone()
		if header == nil {
			header = make(http.Header)
		}
		header.Set("Origin", w.origin)
	}
	for at, r := range w.rooms { // what is asked of it is not asked of a repository that is being made
		if rest, below := strings.CutPrefix(path, at); below && !r.there && (rest == "" || strings.ContainsAny(rest[:1], "/?")) {
			w.advertise(at, client.ReceivePack)
		}
	}
	w.asked = path
	w.page = w.client.Do(w.ctx, method, path, header, body)
	return outcome{}
}

// upgradeHeader asks for a WebSocket.
func upgradeHeader(connection, upgrade string) http.Header {
	return http.Header{
		"Connection": {connection}, "Upgrade": {upgrade},
		"Sec-Websocket-Version": {"13"}, "Sec-Websocket-Key": {"dGhlIHNhbXBsZSBub25jZQ=="},
	}
}

// upgraded judges that the last answer switches to WebSocket.
func (w *world) upgraded() outcome {
	if switches(w.page) {
		return outcome{}
	}
	plain := w.client.Do(w.ctx, http.MethodGet, "/", upgradeHeader("Upgrade", "websocket"), nil)
	if !switches(plain) {
		return unable("the plainest request for a WebSocket", plain).dueTo(restsOnRelay)
	}
	if client.Inconclusive(w.page) {
		return inconclusive("a request for a WebSocket", w.page)
	}
	return violated("a request for a WebSocket is answered with %v, and with 101 if it has one word", w.page)
}

func switches(o client.Observation) bool {
	answer, is := o.(client.HTTPAnswer)
	return is && answer.Status == http.StatusSwitchingProtocols
}

// redirectsMax bounds how often a visitor is led on.
const redirectsMax = 5

// goOn follows the redirects of the last answer that stay with the service, as a browser does.
func (w *world) goOn() outcome {
	for range redirectsMax {
		answer, is := w.page.(client.HTTPAnswer)
		if !is || answer.Status < http.StatusMultipleChoices || answer.Status >= http.StatusBadRequest {
			return outcome{}
		}
		to, below := w.client.PathOf(w.asked, answer.Header.Get("Location"))
		if !below {
			return outcome{}
		}
		w.note("%s leads to %s", w.asked, to)
		w.visit(http.MethodGet, to, browserHeader(), nil)
	}
	return outcome{}
}

// unknownPath is the path of a repository that nobody announced.
func (w *world) unknownPath() string {
	return w.client.RepoPath(w.key("stranger").Pubkey, w.identifier+"-unknown")
}

// unknownPlace is a path that means nothing.
const unknownPlace = "/no/such/place"

// visitLighthouse sends a request of any method and content type to a git endpoint; its body, if the method
// has one, would be understood there.
func (w *world) visitLighthouse(method, service, what, contentType string) outcome {
	return w.needLighthouse().then(func() outcome {
		path, name, header := w.run.lighthouse.path(), "git-upload-pack", http.Header{}
		if service == "push" {
			name = client.ReceivePack
		}
		if what == "advertisement" {
			return w.visit(method, path+advertOf(name), nil, nil)
		}
		var body []byte
		if contentType != "" {
			header.Set("Content-Type", contentType)
			body = []byte(pkt("want "+w.run.lighthouse.commits[2]+"\n") + "0000" + pkt("done\n"))
			if service == "push" {
				body = []byte("0000")
			}
		}
		return w.visit(method, path+"/"+name, header, body)
	})
}

// visitEndpoint asks for one of the four git endpoints of a repository.
func (w *world) visitEndpoint(what, path string) outcome {
	switch what {
	case "the fetch advertisement":
		return w.visit(http.MethodGet, path+advertOf(client.UploadPack), nil, nil)
	case "the push advertisement":
		return w.visit(http.MethodGet, path+advertOf(client.ReceivePack), nil, nil)
	case "the fetch endpoint":
		return w.rpc(path, client.UploadPack, pkt("want "+strings.Repeat("1", 40)+"\n")+"0000"+pkt("done\n"))
	case "the push endpoint":
		return w.rpc(path, client.ReceivePack, "0000")
	}
	panic("suite: invariant: unknown endpoint " + what)
}

// pageGone judges that there comes to be no page of a repository.
func (w *world) pageGone(actor string, bound time.Duration) outcome {
	done, o := w.client.Poll(w.ctx, bound, func() (bool, client.Observation) {
		w.visit(http.MethodGet, w.path(actor), browserHeader(), nil).then(w.goOn)
		answer, is := w.page.(client.HTTPAnswer)
		return is && nothingThere(answer), w.page
	})
	if done {
		return outcome{}
	}
	return unlessInconclusive("the page of a repository that was deleted", o)
}

// sawPage takes the last answer for a page that may go.
func (w *world) sawPage() outcome {
	answer, out := w.answer()
	if out.held() && answer.Status != http.StatusOK {
		return notApplicable("a repository has no page here: %v", answer)
	}
	return out
}

// preflight sends OPTIONS to a place, with what a browser asks before it sends a request to another origin.
func (w *world) preflight(place string, header http.Header) outcome {
	ask := func(path string) outcome { return w.visit(http.MethodOptions, path, header, nil) }
	switch place {
	case "the root":
		return ask("/")
	case "an unknown repository":
		return ask(w.unknownPath())
	case "an unknown path":
		return ask(unknownPlace)
	case "the advertisements of a place for pull requests":
		return ask("/prs" + w.unknownPath() + "/info/refs")
	case "the push endpoint of a place for pull requests":
		return ask("/prs" + w.unknownPath() + "/" + client.ReceivePack)
	case "the owner's repository, which waits":
		return w.announce(announcing{actor: "owner", date: w.tick()}).then(w.accepted).asSetup().then(func() outcome {
			return ask(w.path("owner") + "/info/refs")
		})
	}
	return w.needLighthouse().then(func() outcome {
		path := w.run.lighthouse.path()
		switch place {
		case "a repository":
			return ask(path)
		case "a repository, needlessly escaped":
			return ask(strings.Replace(path, ".git", "%2egit", 1))
		case "the advertisements":
			return ask(path + "/info/refs")
		case "the fetch endpoint":
			return ask(path + "/" + client.UploadPack)
		case "the push endpoint":
			return ask(path + "/" + client.ReceivePack)
		}
		panic("suite: invariant: unknown place " + place)
	})
}
