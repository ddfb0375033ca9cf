package suite

import (
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/graspkit/graspkit/conformance/client"
)

// comparison is the same questions about the owner's repository and about one that is not there, by what is asked, such as an endpoint.
type comparison struct {
	ask   func() pair
	first pair
	later []pair // asked where the first one showed a difference
}

type pair struct{ there, missing map[string]client.Observation }

// laterPairs is how often all is asked again before a difference counts: what a server tells of a request, such as its number or how long
// it took, is the same in two answers now and then.
const laterPairs = 3

// compare asks about both.
func (w *world) compare(about func(repository) map[string]client.Observation) {
	c := &w.private.token.compared
	*c = comparison{ask: func() pair {
		return pair{there: about(w.repository("owner", "")), missing: about(w.repository("owner", "missing"))}
	}}
	c.first = c.ask()
}

// again are further pairs, made once.
func (c *comparison) again() []pair {
	for len(c.later) < laterPairs {
		c.later = append(c.later, c.ask())
	}
	return c.later
}

// tellingHeader is the name of a header that tells what is there from what is not, or "": it differs, and each of both keeps its value
// whenever it is asked, or one alone has it. Some are not looked at.
func (c *comparison) tellingHeader(asked string, but ...string) string {
	one, is := c.first.there[asked].(client.HTTPAnswer)
	other, also := c.first.missing[asked].(client.HTTPAnswer)
	if !is || !also {
		return ""
	}
	for _, name := range differingHeaders(one.Header, other.Header) {
		part := func(a client.HTTPAnswer) string { return strings.Join(a.Header.Values(name), "\n") }
		if one.Header.Values(name) == nil || other.Header.Values(name) == nil {
			part = func(a client.HTTPAnswer) string { return strconv.FormatBool(a.Header.Values(name) == nil) }
		}
		if !slices.Contains(but, name) && c.keeps(asked, part) {
			return name
		}
	}
	return ""
}

// keeps says whether a part of the answers is the same whenever the same is asked. What is no answer says nothing.
func (c *comparison) keeps(asked string, part func(client.HTTPAnswer) string) bool {
	same := func(before, after client.Observation) bool {
		one, is := before.(client.HTTPAnswer)
		other, also := after.(client.HTTPAnswer)
		return !is || !also || tooFast(after) || part(one) == part(other)
	}
	for _, later := range c.again() {
		if !same(c.first.there[asked], later.there[asked]) || !same(c.first.missing[asked], later.missing[asked]) {
			return false
		}
	}
	return true
}

// differingHeaders are the names of headers that differ. The date does as time goes by, and what a front numbers its requests by has no
// name that is known.
func differingHeaders(one, other http.Header) []string {
	names := slices.Collect(maps.Keys(one))
	for name := range other {
		if one.Values(name) == nil {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return slices.DeleteFunc(names, func(name string) bool {
		return name == "Date" || strings.Contains(name, "Id") || slices.Equal(one.Values(name), other.Values(name))
	})
}
