// Package weaktest plants the mistakes that are easily made in syncing into the source of reference/replicate, and wants the tests
// of that package which show the situation to fail. docs/sync.md lists them beside those that scenarios show. Small
// mistakes in syncing, storing and deciding beside these are in one program behind switches, and runs of worlds see them. It contains tests only.
package weaktest
