package judgetest

// byTurns stands for a server of which the suite says now this and now that, or nothing at all, which no list can hold.
const byTurns = "by turns"

// misjudged are the checks that still accuse a legal server, by its name. It has to become empty.
var misjudged = map[string][]string{
	"behind-a-front-that-normalises-paths": {
		"G01-GIT-11.double-slash", "G01-GIT-16.dots", "G01-GIT-16.plain",
	},
	"bucket-of-fifteen-events":   {byTurns},
	"every-third-event-too-fast": {byTurns},
	"hangs-up-on-nonsense": {
		"G01-N11-08.message",
	},
	"hangs-up-when-idle": {byTurns},
	"messages-of-16-kib": {
		"N34-03",
	},
	"no-dates-of-long-ago-or-ahead": {
		"G01-PURG-12", "G01-PURG-12.pull-request", "G01-PURG-12.update",
	},
	"page-made-by-a-script": {
		"G01-WEB-01",
	},
	"requests-in-a-bucket":          {byTurns},
	"room-for-hundred-repositories": {byTurns},
	"three-seconds-late":            {byTurns},
}
