package repro

import "github.com/graspkit/graspkit/conformance/record"

// The two readers of what a relay says.
var (
	Meaning  = meaning
	SedRules = sedRules
)

// CameBare reads what came on a connection below HTTP.
func CameBare(channel string, came ...string) []string {
	var all []record.Exchange
	for _, text := range came {
		all = append(all, record.Exchange{Channel: channel, Direction: record.Received, Text: text})
	}
	return cameBare(all, channel)
}

// EndedThere reports whether a remark is of an end that the server has made.
func EndedThere(head string) bool {
	return endedThere(record.Exchange{Direction: record.Remark, Head: head})
}
