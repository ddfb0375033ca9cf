package client

import (
	"regexp"
	"time"
)

// A moment is a refusal of an event that speaks of the moment and not of the event: what a server says that is busy with
// something else, or whose disk is. Figures and ids are left out.
type moment string

// ForTheMoment begins the words of a limit that is one.
const ForTheMoment = "for the moment: "

// Limits of the waits for another answer.
const (
	momentWaits = 15 * time.Second // for one event, where such words have passed before
	momentTries = 4 * time.Second  // for one event, where they have not
	momentVain  = 6                // waits in vain before such words are taken for what they do not say
	momentsMax  = 12               // words that are tried out
	momentsFew  = 3                // of them say nothing yet about a server
)

var (
	// again are the words of who may say yes later, whatever the prefix.
	again = regexp.MustCompile(`(?i)\b(try (it )?again|retry|busy|in progress|temporar(y|ily)|overloaded)\b`)
	// figures are what differs between two refusals of one cause.
	figures = regexp.MustCompile(`[0-9a-f]{16,}|[0-9]+`)
)

// momentary returns what a refusal says of the moment, or "". The prefix error speaks of the server (NIP-01), and no other
// prefix excludes that the words after it do.
func momentary(o Observation) moment {
	ok, is := o.(OKFrame)
	if !is || ok.Accepted || ok.Prefix != prefixError && !ForNow(ok.Text) {
		return ""
	}
	return moment(figures.ReplaceAllString(clip(ok.Prefix+": "+ok.Text), "#"))
}

const prefixError = "error"

// hoped reports whether one who has waited so long, and would wait so much more, does so in the hope of another answer.
func (p *Pace) hoped(m moment, waited, more time.Duration) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	vain, tried := p.later[m]
	passed := tried && vain == momentPassed
	if passed || ForNow(string(m)) {
		p.moments++
	}
	switch {
	case passed:
		return waited+more <= momentWaits
	case vain > 0 && !p.hesitant(), vain >= momentVain, !tried && len(p.later) >= momentsMax:
		return false
	}
	if waited+more <= momentTries {
		return true
	}
	p.later[m]++
	return false
}

// turned files that a refusal for the moment was one.
func (p *Pace) turned(m moment) {
	p.mu.Lock()
	p.later[m] = momentPassed
	p.mu.Unlock()
	p.limited(kindEvent, ForTheMoment+string(m))
}

// Hesitant reports whether the server, which takes events, has refused some for the moment, in so many words, more than a few
// times: it has too much to do at a time.
func (p *Pace) Hesitant() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.hesitant()
}

func (p *Pace) hesitant() bool { return p.moments > momentsFew && p.events > p.moments/momentShare }

// momentPassed is in place of the waits in vain for words that have passed.
const momentPassed = -1

// momentShare is how many refusals for the moment there are for an accepted event at most: who takes nothing never will.
const momentShare = 8

// ForNow reports whether words ask to try again.
func ForNow(words string) bool { return again.MatchString(words) }

// PutOff reports whether an event was refused for the moment at the end of all waiting for it.
func (c *Client) PutOff() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.putOff
}

// answeredFor files the answer to an event, for which one has waited if it was refused for the moment before.
func (c *Client) answeredFor(hesitated moment, o Observation) {
	now := momentary(o)
	if hesitated != "" && now == "" {
		c.pace.turned(hesitated)
	}
	if ok, is := o.(OKFrame); is && ok.Accepted {
		c.pace.mu.Lock()
		c.pace.events++
		c.pace.mu.Unlock()
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.putOff = c.putOff || now != ""
}
