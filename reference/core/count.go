package core

import "github.com/graspkit/graspkit/reference/relay"

// count answers a COUNT. Only what is served is counted: held events never are (N01-CNT-01, G01-PURG-05).
func (s *Server) count(conn ConnID, m relay.Count, out *Effects) {
	out.add(Send{conn, relay.Counted{Sub: m.Sub, Count: s.store.Count(relay.Compile(m.Filters...))}})
}
