// Package docstest runs what the pages for readers tell them to run, in a copy of the tree, and compares what is printed with
// what the page shows. It does not judge whether a page is worth reading.
//
// A block marked console has commands behind "$ " and what each of them prints, line by line; "..." in a line stands for any
// text, and a line of only "..." for any lines. A block marked sh has commands alone. One marked diff is a change that the
// reader makes. Behind console may stand "background", for a server that goes on until the page ends, or a word and the reason
// why the block is not run here, such as "network: ...".
package docstest
