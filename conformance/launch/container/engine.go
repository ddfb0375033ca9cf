// Package container starts, stops and crashes a server under judgement in a container: an image, of which a port is
// mapped to a free one on loopback. The server is a target that can be restarted and killed on what it has written
// inside. The package speaks to any engine with the API of Docker; it installs none, pulls only what is asked for, and
// judges nothing.
package container

import (
	"archive/tar"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"

	"github.com/ory/dockertest/v3"
	"github.com/ory/dockertest/v3/docker"
)

// ErrNoEngine is returned when no container engine answers.
var ErrNoEngine = errors.New("container: no container engine")

// An Engine runs containers. It may be used from several goroutines at once.
type Engine struct {
	pool *dockertest.Pool
}

// Connect finds the engine at an endpoint such as unix:///var/run/docker.sock; "" is the one that DOCKER_HOST names, or
// the default socket. It returns an error that wraps ErrNoEngine, with the reason, if none answers there. The caller
// must Close the engine.
func Connect(ctx context.Context, endpoint string) (*Engine, error) {
	pool, err := dockertest.NewPool(endpoint)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNoEngine, err)
	}
	e := &Engine{pool: pool}
	if err := pool.Client.PingWithContext(ctx); err != nil {
		e.Close()
		return nil, fmt.Errorf("%w at %s: %w", ErrNoEngine, pool.Client.Endpoint(), err)
	}
	return e, nil
}

// Close ends the connections to the engine. Containers stay as they are.
func (e *Engine) Close() {
	e.pool.Client.HTTPClient.CloseIdleConnections()
	if t, ok := e.pool.Client.HTTPClient.Transport.(*http.Transport); ok {
		t.CloseIdleConnections()
	}
}

// ImportProgram makes an image FROM scratch that holds one static binary and an empty folder, DataPath. The program
// becomes the file "/program" of the image.
func (e *Engine) ImportProgram(ctx context.Context, repository, program string) error {
	read, write := io.Pipe()
	packed := make(chan error, 1)
	go func() {
		err := packProgram(write, program)
		_ = write.CloseWithError(err) // never fails
		packed <- err
	}()
	err := e.pool.Client.ImportImage(docker.ImportImageOptions{
		Repository: repository, Tag: imageTag, Source: "-", InputStream: read, OutputStream: io.Discard, Context: ctx,
	})
	_ = read.Close() // never fails; it ends the packing if the engine did not read everything
	if packErr := <-packed; packErr != nil && !errors.Is(packErr, io.ErrClosedPipe) {
		return fmt.Errorf("pack program: %w", packErr)
	}
	if err != nil {
		return fmt.Errorf("import image %s: %w", repository, err)
	}
	return nil
}

// imageTag is the tag of every image.
const imageTag = "latest"

// programPath is where an imported program is in its image.
const programPath = "/program"

// DataPath is where a program that was imported can keep things. They are the container's: they outlive a restart and a
// kill, and end with Close.
const DataPath = "/data"

// packProgram writes a file system with one file and one folder in it.
func packProgram(w io.Writer, program string) error {
	file, err := os.Open(filepath.Clean(program))
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	archive := tar.NewWriter(w)
	if err := archive.WriteHeader(&tar.Header{Name: DataPath[1:] + "/", Mode: 0o777, Typeflag: tar.TypeDir}); err != nil {
		return err
	}
	header := &tar.Header{Name: programPath[1:], Mode: 0o755, Size: info.Size(), Typeflag: tar.TypeReg}
	if err := archive.WriteHeader(header); err != nil {
		return err
	}
	if _, err := io.Copy(archive, file); err != nil {
		return err
	}
	return archive.Close()
}

// RemoveImage removes an image. No container of it may be left.
func (e *Engine) RemoveImage(repository string) error {
	if err := e.pool.Client.RemoveImage(repository + ":" + imageTag); err != nil {
		return fmt.Errorf("remove image %s: %w", repository, err)
	}
	return nil
}
