// Package legal holds servers that differ from the reference and break no rule: what the suite must not accuse. Each is
// the simulated reference with other settings behind a front with habits of its own: how it treats handshakes, messages
// and HTTP exchanges, and how long it takes for them. A server shows a target.Target and no power but those of a server
// that its judge may start and stop, so it is judged as a stranger is. It takes the time of the clock that it is given,
// and none where that time is virtual. Those that need git hosts and relays, and what is kept or got elsewhere, are simulated servers
// without a front (Sync). The package judges nothing and plants no mistake: see package defect.
package legal
