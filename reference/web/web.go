// Package web is the HTTP surface of the server as a function: a request value goes in, a route comes out, which is
// either the whole answer or the git or WebSocket conversation to start. It renders the NIP-11 document, the pages,
// the errors and the CORS headers. It moves no bytes, runs no git, and decides about no event.
package web

import (
	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/repo"
)

// A Request is the head of an HTTP request.
type Request struct {
	Method string
	Path   string                   // escaped, exactly as on the request line, without the query; never cleaned
	Query  string                   // what follows the first question mark, "" if there is none
	Header func(name string) string // all values of a header, joined by ", "; "" if absent; names in any case
}

// A Kind says what a route leads to.
type Kind uint8

// The kinds of routes.
const (
	KindRespond     Kind = iota + 1 // the answer is Route.Response
	KindWebSocket                   // the nostr relay
	KindAdvertise                   // the ref advertisement of Route.Service for Route.Repo
	KindUploadPack                  // one upload-pack request for Route.Repo
	KindReceivePack                 // one receive-pack request for Route.Repo
)

// A Route is where a request goes. Repo and Service are set for the git kinds; the repository exists, or is a place for
// contributions, and it passes repo.CheckID.
type Route struct {
	Kind     Kind
	Repo     repo.ID
	Service  gitproto.Service
	Response Response
}

// A Header is one header line of a response.
type Header struct{ Name, Value string }

// A Response is a whole answer. Header has the CORS lines exactly once, and neither Content-Length nor Date. In an
// answer to HEAD the caller leaves the body out.
type Response struct {
	Status int
	Header []Header
	Body   []byte
}

// A Repository is what pages may show of one repository.
type Repository struct {
	Exists      bool // it answers git, whether its announcement is held or stored (AMB-29)
	Served      bool // its announcement is stored; if not, nothing of the event may be shown (G01-WEB-03)
	Name        string
	Description string
}

// A View is what the router asks of the server.
type View interface {
	Repository(id repo.ID) Repository
	// Admits reports whether a private service takes a token. It is asked of no other one.
	Admits(t Token) bool
}

// A Config says what the server tells about itself. The zero value of each optional field leaves its line out.
type Config struct {
	Service     repo.Service // where clients reach it; its base path is stripped from every request
	Secure      bool         // URLs on pages begin with https and wss, not http and ws
	Name        string
	Description string
	Software    string   // URL of the software's home page
	Version     string   //
	Criteria    string   // which repositories are accepted; CriteriaDefault if empty (G01-N11-03)
	Curation    string   // optional, only for what goes beyond spam filtering (G01-N11-04)
	Grasps      []string // "GRASP-01", ... (G01-N11-02); those of Contributions and Archive come of themselves
	NIPs        []int    //
	Private     bool     // it is for its members alone (GRASP-08)
	Self        string   // public key by which it authenticates to other services
	FilterBytes int      // of one connection, as the core has it; zero means relay.FilterBytesMax
	// Places for contributions are below /prs/, every one of them, so the View is not asked (GRASP-06).
	Contributions bool
	// What is archived whatever it lists, as the operator says it; nothing if empty. An archive that is only read takes nothing
	// else and no push (GRASP-05).
	Archive  []string
	ReadOnly bool
	MinWork  int // bits of work that every event has to have (NIP-13), which is then among the NIPs; zero asks for none
}
