package suite

import (
	"net/http"
	"strings"

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
			text: `a visitor asks for the fetch advertisement of the {actor}'s repository`,
			role: act, sees: pages,
			doc: "asks for the advertisement of upload-pack",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.visit(http.MethodGet, w.path(a[0])+advertOf(client.UploadPack), nil, nil)
			},
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
					"Origin":                         {"https://client.example.invalid"},
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
			doc: "asks for the repository's page as a browser does",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.visit(http.MethodGet, w.path(a[0]), browserHeader(), nil)
			},
		},
		{
			text: `a visitor asks for the preflight of {any}`,
			role: act, sees: pages,
			doc: "asks as a browser does before it sends a request to another origin",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.preflight(a[0])
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
			text: `a visitor asks for (the relay information document|the page of (?:a|an unknown) repository|the advertisement of (?:an unknown one|a bad npub)|an unknown path|the (?:fetch|push) advertisement|the result of a fetch|the answer to an unsigned push)`,
			role: act, sees: pages,
			doc: "asks for the answer named",
			run: func(w *world, a []string, _ [][]string) outcome {
				return w.visitNamed(a[0])
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
	w.page = w.client.Do(w.ctx, method, path, header, body)
	return outcome{}
}

// unknownPath is the path of a repository that nobody announced.
func (w *world) unknownPath() string {
	return w.client.RepoPath(w.key("stranger").Pubkey, w.identifier+"-unknown")
}

// unknownPlace is a path that means nothing.
const unknownPlace = "/no/such/place"

// visitNamed asks for one of the answers that the feature about CORS names.
func (w *world) visitNamed(what string) outcome {
	get := func(path string, header http.Header) outcome { return w.visit(http.MethodGet, path, header, nil) }
	switch what {
	case "the relay information document":
		return get("/", informationHeader())
	case "the page of an unknown repository":
		return get(w.unknownPath(), browserHeader())
	case "the advertisement of an unknown one":
		return get(w.unknownPath()+advertOf(client.UploadPack), nil)
	case "the advertisement of a bad npub":
		return get(w.pathFiller().Replace("/{bad npub}/x.git")+advertOf(client.UploadPack), nil)
	case "an unknown path":
		return get(unknownPlace, browserHeader())
	}
	return w.needLighthouse().then(func() outcome {
		path := w.run.lighthouse.path()
		switch what {
		case "the page of a repository":
			return get(path, browserHeader())
		case "the fetch advertisement":
			return get(path+advertOf(client.UploadPack), nil)
		case "the push advertisement":
			return get(path+advertOf(client.ReceivePack), nil)
		case "the result of a fetch":
			want := "want " + w.run.lighthouse.commits[2] + " side-band-64k no-progress\n"
			return w.rpc(path, client.UploadPack, pkt(want)+"0000"+pkt("done\n"))
		case "the answer to an unsigned push":
			return w.unsignedPush(path)
		}
		panic("suite: invariant: unknown answer " + what)
	})
}

// rpc posts a body to a git endpoint.
func (w *world) rpc(path, service, body string) outcome {
	header := http.Header{
		"Content-Type": {"application/x-" + service + "-request"},
		"Accept":       {"application/x-" + service + "-result"},
	}
	return w.visit(http.MethodPost, path+"/"+service, header, []byte(body))
}

// unsignedPush pushes a branch that no state names.
func (w *world) unsignedPush(path string) outcome {
	body := client.PushBody(w.unsigned())
	return w.rpc(path, client.ReceivePack, string(body))
}

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

// preflight asks what a browser asks before it sends a request to another origin.
func (w *world) preflight(place string) outcome {
	header := http.Header{
		"Origin":                         {"https://client.example.invalid"},
		"Access-Control-Request-Method":  {"POST"},
		"Access-Control-Request-Headers": {"content-type"},
	}
	ask := func(path string) outcome { return w.visit(http.MethodOptions, path, header, nil) }
	switch place {
	case "the root":
		return ask("/")
	case "an unknown repository":
		return ask(w.unknownPath())
	case "an unknown path":
		return ask(unknownPlace)
	}
	return w.needLighthouse().then(func() outcome {
		path := w.run.lighthouse.path()
		switch place {
		case "a repository":
			return ask(path)
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
