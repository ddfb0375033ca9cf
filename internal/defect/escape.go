package defect

import (
	"net/http"
	"net/url"
	"strings"
	"sync"

	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// escapeDefects show more of a repository than smart HTTP, or what is beside it.
func escapeDefects() []Defect {
	shows := func(name string, page func(s *store, id repo.ID, below string) (text string, ok bool)) Defect {
		s := &store{}
		return Defect{Name: name, Backend: s.set, Front: gate(func(w http.ResponseWriter, r *http.Request) bool {
			id, below, ok := below(r)
			if !ok || r.Method != http.MethodGet {
				return false
			}
			if _, err := s.Refs(id); err != nil {
				return false
			}
			text, ok := page(s, id, below)
			if !ok {
				return false
			}
			h := w.Header()
			h.Set("Access-Control-Allow-Origin", "*")
			h.Set("Access-Control-Allow-Methods", "GET, POST")
			h.Set("Access-Control-Allow-Headers", "Content-Type")
			h.Set("Content-Type", "text/plain")
			_, _ = w.Write([]byte(text)) // a client that is gone hears nothing
			return true
		})}
	}
	return []Defect{
		shows("dumb-heads-shown", func(s *store, id repo.ID, below string) (string, bool) {
			refs, err := s.Refs(id)
			return "ref: " + refs.Head + "\n", err == nil && below == "HEAD"
		}),
		shows("dumb-packs-listed", func(_ *store, _ repo.ID, below string) (string, bool) {
			return "P pack-1111111111111111111111111111111111111111.pack\n\n", below == "objects/info/packs"
		}),
		shows("dumb-listing-by-default", func(s *store, id repo.ID, below string) (string, bool) {
			refs, err := s.Refs(id)
			var text strings.Builder
			for _, ref := range refs.Refs {
				text.WriteString(string(ref.OID) + "\t" + ref.Name + "\n")
			}
			return text.String(), err == nil && below == "info/refs?"
		}),
		shows("files-of-repositories-shown", func(_ *store, _ repo.ID, below string) (string, bool) {
			return "[core]\n\tbare = true\n", below == "config" || strings.HasSuffix(below, "/config")
		}),
		shows("files-beside-repositories-shown", func(_ *store, _ repo.ID, below string) (string, bool) {
			path, err := url.PathUnescape(below)
			return "root:x:0:0:root:/root:/bin/sh\n", err == nil && strings.HasPrefix(path, "../..") && strings.HasSuffix(path, "passwd")
		}),
		leaving("paths-leave-keys", func(r *http.Request) bool { return !pushed(r) }),
		leaving("escaped-slashes-leave-keys", func(r *http.Request) bool { return !pushed(r) && slashEscaped(r) }),
		leaving("pushes-leave-keys", pushed),
	}
}

// below is the repository that a path begins with, and what follows; "info/refs?" stands for one without a service.
func below(r *http.Request) (id repo.ID, rest string, ok bool) {
	id, ok = repositoryOf(r)
	parts := strings.SplitN(strings.TrimPrefix(r.URL.EscapedPath(), "/"), "/", 3)
	if !ok || len(parts) < 3 {
		return id, "", false
	}
	if rest = parts[2]; rest == "info/refs" && r.URL.Query().Get("service") == "" {
		rest += "?"
	}
	return id, rest, true
}

// slashEscaped reports whether the parent folder of a path has an escaped slash behind it.
func slashEscaped(r *http.Request) bool {
	path := strings.ToLower(r.URL.EscapedPath())
	return strings.Contains(path, "..%2f") || strings.Contains(path, "%2e%2e%2f")
}

// leaving follows parent folders in escapes, from below a key that has a repository here.
func leaving(name string, which func(*http.Request) bool) Defect {
	var mu sync.Mutex
	keys := map[repo.PubKey]bool{}
	return Defect{
		Name: name,
		Backend: func(b gitstore.Backend) gitstore.Backend {
			return founding{backend{b}, func(id repo.ID) {
				mu.Lock()
				defer mu.Unlock()
				keys[id.Owner] = true
			}}
		},
		Front: gate(func(_ http.ResponseWriter, r *http.Request) bool {
			first, rest, _ := strings.Cut(strings.TrimPrefix(r.URL.EscapedPath(), "/"), "/")
			owner, err := repo.ParseNpub(first)
			mu.Lock()
			known := keys[owner]
			mu.Unlock()
			whole, unescaped := url.PathUnescape(rest)
			if err != nil || unescaped != nil || !known || !which(r) {
				return false
			}
			before, inner, ok := strings.Cut(whole, "../")
			if !ok || before != "" && !strings.HasSuffix(before, ".git/../") {
				return false
			}
			r.URL.Path, r.URL.RawPath = "/"+inner, ""
			r.RequestURI = r.URL.RequestURI()
			return false
		}),
	}
}

// founding tells which repositories are made.
type founding struct {
	backend
	made func(repo.ID)
}

func (f founding) Create(id repo.ID) error {
	f.made(id)
	return f.Backend.Create(id)
}

// eventsFirstDefects refuse the refs of events that nobody has sent, and guard the others badly.
func eventsFirstDefects() []Defect {
	alsoNeedsEvent := func(name string, filter func() Filter) Defect {
		return Defect{Name: name, Filter: func() Filter { return both(needEvent(), filter()) }}
	}
	upper := func(name string) (event string, is bool) { return strings.ToLower(name), name != strings.ToLower(name) }
	under := func(name string) (event string, is bool) {
		event, _, is = strings.Cut(name, "/")
		return event, is
	}
	return []Defect{
		{Name: "pull-request-refs-in-upper-case", Filter: lettingNames(upper, false)},
		{Name: "pull-request-refs-below-refs", Filter: lettingNames(under, false)},
		{Name: "known-events-in-upper-case", Filter: lettingNames(upper, true)},
		{Name: "names-below-known-events", Filter: lettingNames(under, true)},
		alsoNeedsEvent("events-first-and-upper-case", lettingNames(upper, true)),
		alsoNeedsEvent("events-first-and-other-kinds", admits("G01-PR-10")),
		alsoNeedsEvent("events-first-and-accepted-unguarded", admits("G01-PR-11")),
	}
}

func isEventRef(name string) bool {
	_, is := repo.PullRequestOf(repo.PullRequestPrefix + name)
	return is
}
