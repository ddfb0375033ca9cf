// Package gitserve holds one git conversation over an io.Reader and an io.Writer: an advertisement, a fetch or a
// push. It knows the order of the steps and the texts that clients see; it stores nothing, decides nothing about
// pushes and speaks no HTTP.
package gitserve

import (
	"errors"
	"fmt"
	"io"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// Advertise writes the ref advertisement of a service in the version that the Git-Protocol header asks for.
// receive-pack knows no version 2 and is answered in version 0 then. Errors are those of the backend and of w; a
// repository that is not there is gitstore.ErrNoRepository, and nothing was written then.
func Advertise(c gitstore.Cancel, backend gitstore.Backend, id repo.ID, service gitproto.Service, gitProtocol string, w io.Writer) error {
	version := gitproto.Version(gitProtocol)
	if service == gitproto.ReceivePackService && version == 2 {
		version = 0
	}
	err := ofPlace(backend, id).Advertise(c, id, service, version, w)
	if id.IsContribution() && errors.Is(err, gitstore.ErrNoRepository) { // it has just gone, and nothing was written
		err = ofPlace(backend, id).Advertise(c, id, service, version, w)
	}
	if err != nil {
		return fmt.Errorf("advertise refs: %w", err)
	}
	return nil
}

// UploadPack serves one stateless upload-pack request. What is wrong with the request is told to the client in an
// ERR packet and is no error here (G01-GIT-07). Other errors are those of the backend, of r and of w; their texts are
// not for the client.
func UploadPack(c gitstore.Cancel, backend gitstore.Backend, id repo.ID, gitProtocol string, r io.Reader, w io.Writer) error {
	err := ofPlace(backend, id).UploadPack(c, id, gitproto.Version(gitProtocol), r, w)
	var refused *gitproto.ProtocolError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &refused):
		return answerError(w, refused.What)
	default:
		return fmt.Errorf("serve upload-pack: %w", err)
	}
}

// ofPlace returns the backend, and for a place for contributions that is not there one where it is there and empty: to whoever reads
// it is, and nothing is kept of who has asked (G06-FETCH-01).
func ofPlace(backend gitstore.Backend, id repo.ID) gitstore.Backend {
	if !id.IsContribution() {
		return backend
	}
	if _, err := backend.Refs(id); !errors.Is(err, gitstore.ErrNoRepository) {
		return backend
	}
	nothing := gitstore.NewMemory(gitstore.Limits{})
	if nothing.Create(id) != nil {
		return backend
	}
	return nothing
}

func answerError(w io.Writer, text string) error {
	if err := gitproto.WriteError(w, text); err != nil {
		return fmt.Errorf("write answer: %w", err)
	}
	return nil
}
