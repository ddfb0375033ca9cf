package gitproto

import "strings"

// Agent is the name that the server gives itself in advertisements.
const Agent = "graspkit"

// Capabilities are the words after the NUL of a first line, in the order of the line: names, or name=value.
type Capabilities []string

// ParseCapabilities splits a list at its spaces.
func ParseCapabilities(list string) Capabilities { return strings.Fields(list) }

// Has reports whether a word is in the list, as a name or before an equals sign.
func (c Capabilities) Has(name string) bool {
	_, ok := c.Value(name)
	return ok
}

// Value returns what stands after the equals sign of the first entry of that name.
func (c Capabilities) Value(name string) (string, bool) {
	for _, entry := range c {
		if key, value, _ := strings.Cut(entry, "="); key == name {
			return value, true
		}
	}
	return "", false
}

// check refuses what this server cannot speak: another object format.
func (c Capabilities) check() error {
	if format, ok := c.Value("object-format"); ok && format != "sha1" {
		return protocolErrorf("object format %s is not supported", quote(format))
	}
	return nil
}

// ReceivePackCapabilities is what the server offers to a pusher. Certificates (push-cert) are never offered
// (G01-PUSH-18).
func ReceivePackCapabilities() Capabilities {
	return Capabilities{
		"report-status", "delete-refs", "side-band-64k", "quiet", "atomic", "ofs-delta", "push-options",
		"object-format=sha1", "agent=" + Agent,
	}
}

// UploadPackCapabilities is what the server offers to a v0 or v1 client that fetches. headTarget is the branch that
// HEAD names, if it exists, else "" (G01-GIT-04, G01-GIT-05, G01-HEAD-01).
func UploadPackCapabilities(headTarget string) Capabilities {
	list := Capabilities{
		"multi_ack", "thin-pack", "side-band", "side-band-64k", "ofs-delta", "shallow", "deepen-since", "deepen-not",
		"deepen-relative", "no-progress", "include-tag", "multi_ack_detailed", "allow-tip-sha1-in-want",
		"allow-reachable-sha1-in-want", "no-done",
	}
	if headTarget != "" {
		list = append(list, "symref=HEAD:"+headTarget)
	}
	return append(list, "filter", "object-format=sha1", "agent="+Agent)
}

// uploadPackV2 is the capability advertisement of protocol version 2, a line each.
func uploadPackV2() []string {
	return []string{
		"version 2", "agent=" + Agent, "ls-refs=unborn", "fetch=shallow wait-for-done filter", "object-format=sha1",
	}
}
