package servetarget

import "github.com/graspkit/graspkit/internal/hosts"

// othersWait reports whether nothing goes on between the server and others before the clock moves: it has read all that these
// have sent it, they have read all that it has sent them, and each waits. A host that still answers somebody who has left has
// not noted so.
func (t *Target) othersWait() bool {
	s := t.current()
	fetches, all := s.Fetches.Waiting()
	if !all {
		return false
	}
	peers, all := s.Peers.Waiting()
	if !all {
		return false
	}
	answers, all := t.hosts.Parked()
	if !all {
		return false
	}
	ends, all := t.hosts.Ends()
	if !all {
		return false
	}
	sent := map[string]int64{}
	for _, p := range answers {
		sent[p.Remote] = p.Wrote
	}
	for _, w := range fetches {
		if wrote, parked := sent[w.Local]; !parked || wrote != w.Read {
			return false
		}
		delete(sent, w.Local)
	}
	far := map[string]hosts.End{}
	for _, e := range ends {
		far[e.Remote] = e
	}
	for _, w := range peers {
		if wrote, parked := sent[w.Local]; parked && wrote == w.Read { // a git host is no relay
			delete(sent, w.Local)
			continue
		}
		e, there := far[w.Local]
		if !there || !e.Frozen && (e.Wrote != w.Read || e.Read != w.Wrote) {
			return false
		}
		delete(far, w.Local)
	}
	for _, e := range far {
		if !e.Frozen {
			return false // it has not noted that the server has left
		}
	}
	return len(sent) == 0
}
