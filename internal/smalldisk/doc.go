// Package smalldisk gives a test a file system of its own that is quickly full. It does not slow down or fail for another
// reason than that there is no room.
package smalldisk
