package scenarios

import (
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/goccy/go-yaml/ast"

	"github.com/graspkit/graspkit/internal/yamlfile"
)

// Rules are what operators ask for beside the protocol. The zero value is what they usually ask for: nothing.
type Rules struct {
	Reciprocal bool     // maintainers count who list each other
	Work       int      // leading zero bits of the id of every event
	Authors    []string // of whom nothing is taken
	Blocked    []string // repositories that are not announced
	Allowed    []string // those that may be; nil is all
	Archive    []string // those that are kept whatever services they list, "all", or all that list a server; nil is none
	Archives   []string // servers that keep them; nil is all
	ReadOnly   []string // archives that take no push and host nothing new that only lists them; nil is none

	Private   []string // servers that serve their members alone (GRASP-08); nil is none
	Members   []string // people who are members of those, each other's services beside them
	Dismissed []string // of these, who are none any more in the second half of the time

	Contributors []string // servers where anybody may put the commits of pull requests (GRASP-06); nil is none
}

// At reports whether a list of servers names the one with this number.
func At(servers []string, n int) bool { return slices.Contains(servers, "server"+strconv.Itoa(n)) }

// WorkMax is the most work that a scenario asks for: nobody in it looks for an id, so that of two events one has a bit of it.
const WorkMax = 16

// NamesMax is how many names a list of an operator has at most.
const NamesMax = 64

var (
	person     = regexp.MustCompile(`^(owner|maintainer|stranger)[0-9]{1,4}$`)
	server     = regexp.MustCompile(`^server[1-9][0-9]?$`)
	repository = regexp.MustCompile(`^((owner|maintainer|stranger)[0-9]{1,4}(/[a-z0-9]{1,32})?|[a-z0-9]{1,32})$`)
)

// rules reads what the operators ask for.
func (r *reader) rules(out *Rules) func(ast.Node) error {
	return func(n ast.Node) error {
		return r.mapping("rules", n, []field{
			{"reciprocal", false, r.yes(&out.Reciprocal)},
			{"work", false, r.count(&out.Work, WorkMax)},
			{"authors", false, r.names(&out.Authors, "authors", `somebody, such as "stranger1"`, person)},
			{"blocked", false, r.names(&out.Blocked, "blocked", `"owner1", "owner1/repository1" or "repository1"`, repository)},
			{"allowed", false, r.names(&out.Allowed, "allowed", `"owner1", "owner1/repository1" or "repository1"`, repository)},
			{"archive", false, r.names(&out.Archive, "archive", `"owner1", "owner1/repository1", "repository1", "server1" or "all"`, repository)},
			{"archives", false, r.names(&out.Archives, "archives", `a server, such as "server1"`, server)},
			{"read_only", false, r.names(&out.ReadOnly, "read_only", `a server, such as "server1"`, server)},
			{"private", false, r.names(&out.Private, "private", `a server, such as "server1"`, server)},
			{"members", false, r.names(&out.Members, "members", `somebody, such as "owner1"`, person)},
			{"dismissed", false, r.names(&out.Dismissed, "dismissed", `somebody, such as "owner1"`, person)},
			{"contributors", false, r.names(&out.Contributors, "contributors", `a server, such as "server1"`, server)},
		})
	}
}

func (r *reader) names(out *[]string, what, rule string, form *regexp.Regexp) func(ast.Node) error {
	return r.list(what, NamesMax, func(n ast.Node) error {
		var name string
		err := r.text(&name, 80, rule, form.MatchString)(n)
		*out = append(*out, name)
		return err
	})
}

// Archived reports whether a server keeps what is archived.
func (r Rules) Archived(server int) bool {
	return r.Archive != nil && (r.Archives == nil || At(r.Archives, server))
}

// checkRules holds the rules against the servers that there are.
func (r *reader) checkRules(root ast.Node, s Scenario) error {
	say := func(what, hint string) error { return yamlfile.At(r.file, root, what, hint) }
	for _, list := range []struct {
		what  string
		names []string
	}{{"contributors", s.Rules.Contributors}, {"archives", s.Rules.Archives}, {"read_only", s.Rules.ReadOnly}, {"private", s.Rules.Private}} {
		for _, name := range list.names {
			if n, err := strconv.Atoi(strings.TrimPrefix(name, "server")); err != nil || n > s.Servers {
				return say(fmt.Sprintf("%s: there is no %s", list.what, name), fmt.Sprintf("name one of %d", s.Servers))
			}
		}
	}
	for _, list := range [][]string{s.Rules.Authors, s.Rules.Blocked, s.Rules.Allowed, s.Rules.Archive, s.Rules.Members, s.Rules.Dismissed} {
		for _, name := range list {
			who, _, _ := strings.Cut(name, "/")
			if n, err := strconv.Atoi(strings.TrimLeft(who, "abcdefghijklmnopqrstuvwxyz")); person.MatchString(who) && (err != nil || n < 1 || n > s.Repositories) {
				return say(fmt.Sprintf("rules: there is no %s", who), fmt.Sprintf("name somebody of %d repositories", s.Repositories))
			}
		}
	}
	for _, who := range s.Rules.Dismissed {
		if !slices.Contains(s.Rules.Members, who) {
			return say(fmt.Sprintf("dismissed: %s is no member", who), "name some of the members")
		}
	}
	if (s.Rules.Private == nil) != (s.Rules.Members == nil) {
		return say("private servers and members need each other", "write both, or none")
	}
	for n := 1; n <= s.Servers; n++ {
		switch {
		case At(s.Rules.ReadOnly, n) && !s.Rules.Archived(n):
			return say(fmt.Sprintf("read_only: server%d is no archive", n), "write what it keeps into archive")
		case At(s.Rules.ReadOnly, n) && At(s.Rules.Contributors, n):
			return say(fmt.Sprintf("read_only: server%d takes contributions", n), "let another one take them")
		}
	}
	return nil
}
