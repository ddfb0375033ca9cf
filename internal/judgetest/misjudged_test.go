package judgetest

// byTurns stands for a server of which the suite says now this and now that, or nothing at all, which no list can hold.
const byTurns = "by turns"

// misjudged are the checks that still accuse a legal server, by its name. It is empty.
var misjudged = map[string][]string{}
