// Package actiontest runs the scripts of the GitHub Action and of the GitLab example as their runners do, against servers on
// this machine, and compares the files that call them with what grasp-check takes. It does not know what a runner makes of
// these files beyond that, and downloads nothing.
package actiontest
