package core

import "github.com/graspkit/graspkit/reference/relay"

// count answers a COUNT. Only what is served is counted: held events never are (N01-CNT-01, G01-PURG-05).
func (s *Server) count(conn ConnID, session *relay.Session, m relay.Count, out *Effects) {
	if reason := s.tooLarge(session, 0, m.Filters...); reason != "" {
		out.add(Send{conn, relay.Closed{Sub: m.Sub, Text: "error: " + reason}})
		return
	}
	s.find(session, &search{conn: conn, sub: m.Sub, purpose: forCount, filters: relay.Compile(m.Filters...)}, out)
}
