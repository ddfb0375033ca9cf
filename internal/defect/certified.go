package defect

import (
	"slices"
	"strings"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/repo"
)

// certificate returns the packets of a push certificate.
func certificate(list []packet) []packet {
	from := slices.IndexFunc(list, func(p packet) bool { return strings.HasPrefix(p.text, "push-cert\x00") })
	if from < 0 {
		return nil
	}
	inside := list[from+1:]
	to := slices.IndexFunc(inside, func(p packet) bool { return p.text == "push-cert-end\n" })
	return inside[:max(to, 0)]
}

// commandsOf reads each line of a text that is a command.
func commandsOf(text string) (all []gitproto.Command) {
	for line := range strings.Lines(text) {
		if c, is := (packet{text: line}).command(); is {
			all = append(all, c)
		}
	}
	return all
}

// certified carries out those commands of a certificate, joined as git joins it, that a reader of single packets does not see.
func certified(name string, sees func(p packet) []gitproto.Command) Defect {
	return smuggled(name, func(_ *store, _ repo.ID, list []packet) []gitproto.Command {
		text := ""
		var seen []gitproto.Command
		for _, p := range certificate(list) {
			text += p.text
			seen = append(seen, sees(p)...)
		}
		return slices.DeleteFunc(commandsOf(text), func(c gitproto.Command) bool { return slices.Contains(seen, c) })
	})
}

func certifiedDefects() []Defect {
	return []Defect{
		certified("commands-cut-in-certificates-unjudged", func(p packet) []gitproto.Command { return commandsOf(p.text) }),
		certified("commands-behind-others-in-certificates-unjudged", func(p packet) []gitproto.Command {
			if first := commandsOf(p.text); len(first) > 0 {
				return first[:1]
			}
			return nil
		}),
		certified("certificates-of-lines-carried-out", func(p packet) []gitproto.Command {
			if strings.Count(p.text, "\n") > 1 {
				return commandsOf(p.text)
			}
			return nil
		}),
	}
}
