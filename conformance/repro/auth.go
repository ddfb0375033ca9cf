package repro

import (
	"encoding/json"
	"fmt"
	"strings"
	"time"

	"github.com/nbd-wtf/go-nostr"

	"github.com/graspkit/graspkit/conformance/client"
	"github.com/graspkit/graspkit/conformance/record"
	"github.com/graspkit/graspkit/conformance/suite"
)

// aligned is how far the date of an authentication may be from when it was sent and still be meant to be that.
const aligned = 10 * time.Second

// authentication sends an answer to a challenge (NIP-42). Challenge and date are others each time, so it is signed anew, if its key is
// one that the run has made up.
func (s *script) authentication(i int, x record.Exchange) {
	var parts []json.RawMessage
	var ev nostr.Event
	if json.Unmarshal([]byte(x.Text), &parts) != nil || len(parts) < 2 || json.Unmarshal(parts[1], &ev) != nil {
		s.line("left_out %s", Quoted(x.Channel+": an authentication was sent that is no event"))
		return
	}
	if good, err := ev.CheckSignature(); err != nil || !good || ev.GetID() != ev.ID {
		s.line("left_out %s", Quoted(x.Channel+": an authentication was sent whose id or signature is wrong on purpose"))
		return
	}
	seed, name, known := suite.ActorOf(client.Root(s.run.Seed, s.run.Nonce), s.check.ID, ev.PubKey)
	if !known { // it was given to the run, and has to be given again
		seed, name = "", ev.PubKey
	}
	s.openChannel(x.Channel)
	then := s.run.Began.Add(time.Duration(s.check.StartMS+x.MS) * time.Millisecond)
	offset := ev.CreatedAt.Time().Sub(then)
	if offset.Abs() < aligned {
		offset = 0
	}
	words := []string{"authenticate", s.name(x.Channel), Quoted(seed), Quoted(name), fmt.Sprint(ev.Kind), fmt.Sprint(int64(offset / time.Second)), ev.ID}
	for _, tag := range ev.Tags {
		if len(tag) != 2 {
			s.line("left_out %s", Quoted(x.Channel+": an authentication was sent with tags of another form"))
			return
		}
		value := tag[1]
		if of := s.challenged(i, value); tag[0] == "challenge" && of != "" {
			value = "@" + s.name(of)
		}
		words = append(words, Quoted(tag[0]+"="+value))
	}
	s.line("%s", strings.Join(words, " "))
}

// challenged is the connection on which a challenge had come, "" if none.
func (s *script) challenged(i int, challenge string) (channel string) {
	for _, x := range s.all[:i] {
		var parts []string
		if x.Direction == record.Received && json.Unmarshal([]byte(x.Text), &parts) == nil && len(parts) == 2 && parts[0] == "AUTH" && parts[1] == challenge {
			channel = x.Channel
		}
	}
	return channel
}
