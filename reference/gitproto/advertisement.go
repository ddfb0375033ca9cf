package gitproto

import (
	"io"
	"strings"

	"github.com/graspkit/graspkit/reference/repo"
)

// An AdvertisedRef is a ref with what its tag object points to in the end.
type AdvertisedRef struct {
	repo.Ref
	Peeled repo.OID // "" unless the ref points to a tag object
}

// An Advertisement is what a client reads first.
type Advertisement struct {
	Service    Service
	Version    int             // 0, 1 or 2, as Version returns it
	HeadTarget string          // the branch that HEAD names
	Head       repo.OID        // what that branch points to; "" if it does not exist
	Refs       []AdvertisedRef // all refs but HEAD, sorted by name
	// Offer is what stands behind the first ref, in versions 0 and 1; nil means what this server offers by itself.
	Offer Capabilities
}

// Write writes the advertisement: for version 2 of upload-pack the capabilities, else a service line and all refs.
// receive-pack knows no version 2 and answers it as version 0.
func (a Advertisement) Write(w io.Writer) error {
	lines := NewWriter(w)
	if a.Service == UploadPackService && a.Version == 2 {
		for _, line := range uploadPackV2() {
			lines.Line(line)
		}
		lines.Flush()
		return lines.Err()
	}
	lines.Line("# service=" + string(a.Service))
	lines.Flush()
	if a.Version == 1 {
		lines.Line("version 1")
	}
	first := "\x00" + strings.Join(a.capabilities(), " ")
	ref := func(oid repo.OID, name string) {
		lines.Line(string(oid) + " " + name + first)
		first = ""
	}
	upload := a.Service == UploadPackService
	if upload && a.Head != "" {
		ref(a.Head, "HEAD")
	}
	for _, r := range a.Refs {
		ref(r.OID, r.Name)
		if upload && r.Peeled != "" {
			ref(r.Peeled, r.Name+"^{}")
		}
	}
	if first != "" {
		ref(repo.ZeroOID, "capabilities^{}")
	}
	lines.Flush()
	return lines.Err()
}

func (a Advertisement) capabilities() Capabilities {
	if a.Offer != nil {
		return a.Offer
	}
	if a.Service != UploadPackService {
		return ReceivePackCapabilities()
	}
	if a.Head == "" {
		return UploadPackCapabilities("")
	}
	return UploadPackCapabilities(a.HeadTarget)
}
