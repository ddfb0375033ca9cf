// Package smalldisk gives a test a file system of its own that is quickly full, or a folder that takes no writes. It does not
// slow down, and no file that is open fails for another reason than that there is no room.
package smalldisk
