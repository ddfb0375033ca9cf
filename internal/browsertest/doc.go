// Package browsertest lets other people's clients use the reference server from a page: isomorphic-git and nostr-tools in
// headless Chromium, on a page of another origin. It also opens the page that grasp-check makes of a run, from a disk, and looks at it
// as a reader does; -screenshots names a folder for pictures. It contains tests only. They need Chromium and the clients of
// package-lock.json, installed in the folder that -modules names: without these they are skipped with the reason, or fail
// if -require-browser is given. `.ci/run browser` installs both. What a page may read of the wire alone is judged by the
// features.
package browsertest
