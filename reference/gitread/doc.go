// Package gitread says what lies in a bare repository by looking at its files: which refs it has, and which objects are
// there. Both stores on disk read so; a git process for the same takes twenty to a hundred times as long, and a server
// that starts asks for every repository. It writes nothing, unpacks nothing, and does not ask whether an object is whole.
package gitread
