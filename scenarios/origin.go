package scenarios

import (
	"fmt"
	"regexp"
	"strings"
)

// UsualOrigin is where people reach the servers of a scenario that says nothing else.
const UsualOrigin = "http://server%d.example"

const originRule = `an http or https URL of a host with %d for the number of the server, such as "https://server%d.example/git"`

var origin = regexp.MustCompile(`^(?i:https?)://[A-Za-z0-9.\[\]:-]*%d[A-Za-z0-9.\[\]:-]*(/[A-Za-z0-9._~%-]+)*/?$`)

// isOrigin reports whether a text is the origin of several servers: one %d, and that in the host.
func isOrigin(s string) bool { return origin.MatchString(s) && strings.Count(s, "%d") == 1 }

// OriginOf is where people reach the server of a number, from 1.
func (s Scenario) OriginOf(number int) string {
	form := s.Origin
	if form == "" {
		form = UsualOrigin
	}
	return strings.Replace(form, "%d", fmt.Sprint(number), 1)
}
