package judgetest

// byTurns stands for a server of which the suite says now this and now that, or nothing at all, which no list can hold.
const byTurns = "by turns"

// misjudged are the checks that still accuse a legal server, by its name. It has to become empty.
var misjudged = map[string][]string{
	"asks-for-work": {byTurns},
	"behind-a-front-that-normalises-paths": {
		"G01-GIT-11.double-slash", "G01-GIT-16.dots", "G01-GIT-16.plain",
	},
	"bucket-of-fifteen-events":   {byTurns},
	"every-third-event-too-fast": {byTurns},
	"few-owners":                 {byTurns},
	"hangs-up-on-nonsense": {
		"G01-N11-08.message",
	},
	"hangs-up-when-idle": {byTurns},
	"hook-dies-on-certificates": {
		"G01-PUSH-18", "SEC-10.certificate",
	},
	"members-only": {byTurns},
	"messages-of-16-kib": {
		"N34-03",
	},
	"no-dates-of-long-ago-or-ahead": {
		"G01-PURG-12", "G01-PURG-12.pull-request", "G01-PURG-12.update",
	},
	"no-deletion-requests": {
		"G01-DEL-01", "G01-DEL-02", "G01-DEL-03.address", "G01-DEL-03.id",
		"G01-DEL-04", "G01-DEL-06.address", "G01-DEL-06.id", "N09-01",
		"N09-02", "N09-02.same-time", "N09-04",
		"N09-06.with", "N09-06.without",
	},
	"page-made-by-a-script": {
		"G01-WEB-01",
	},
	"plain-git": {
		"G01-PR-08.merged", "G01-PR-16.state", "N34-ST-03",
	},
	"prunes-on-a-state": {
		"G01-PUSH-07", "G01-PUSH-07.tag",
	},
	"pushes-not-atomic": {
		"N34-ST-03",
	},
	"requests-in-a-bucket":          {byTurns},
	"room-for-hundred-repositories": {byTurns},
	"six-connections":               {byTurns},
	"sixty-events-a-connection":     {byTurns},
	"three-seconds-late":            {byTurns},
	"two-thousand-subscriptions": {
		"G01-N11-08.subscriptions",
	},
}
