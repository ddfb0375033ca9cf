package container

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"

	"github.com/ory/dockertest/v3/docker"
)

// Errors of a container that does not start; test with errors.Is.
var (
	// ErrNoImage is returned when the engine has no such image, and cannot get it.
	ErrNoImage = errors.New("container: no such image")
	// ErrNotStarted is returned when the engine does not start a container, as when there is no program in the image.
	ErrNotStarted = errors.New("container: the engine does not start it")
)

// split cuts the name of an image from its tag, which is "latest" if none is named, or from its digest.
func split(image string) (name, tag string) {
	at := strings.LastIndexByte(image, ':')
	if at <= strings.LastIndexByte(image, '/') { // the colon of a port, or none
		return image, imageTag
	}
	return image[:at], image[at+1:]
}

// have sees to it that the engine has an image.
func (e *Engine) have(ctx context.Context, name, tag string) error {
	image := name + ":" + tag
	if _, err := e.pool.Client.InspectImage(image); err == nil {
		return nil
	}
	err := e.pool.Client.PullImage(docker.PullImageOptions{Repository: name, Tag: tag, Context: ctx}, docker.AuthConfiguration{})
	switch {
	case ctx.Err() != nil:
		return context.Cause(ctx)
	case err != nil:
		return fmt.Errorf("%w: %s: %w", ErrNoImage, image, err)
	}
	if _, err := e.pool.Client.InspectImage(image); err != nil { // some engines tell of a failure in the stream of a success
		return fmt.Errorf("%w: %s: %w", ErrNoImage, image, err)
	}
	return nil
}

// containerName names a container that nobody else has.
func containerName() string {
	b := make([]byte, 8)
	_, _ = rand.Read(b) // never fails, it says
	return "graspkit-" + hex.EncodeToString(b)
}
