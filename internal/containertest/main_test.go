package containertest

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/graspkit/graspkit/conformance/launch/container"
)

var required = flag.Bool("require-containers", false, "fail where no container engine answers, instead of skipping")

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// engine connects to the container engine, or ends the test.
func engine(t *testing.T) *container.Engine {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	e, err := container.Connect(ctx, "")
	switch {
	case err == nil:
		t.Cleanup(e.Close)
		return e
	case errors.Is(err, container.ErrNoEngine) && !*required:
		t.Skipf("blocked: %v; start one, or name it in DOCKER_HOST", err)
	default:
		t.Fatalf("containers are required: %v", err)
	}
	return nil
}

// imported builds the static grasp-sim and imports it as an image of its own. It returns the name of the image.
func imported(t *testing.T, e *container.Engine) string {
	t.Helper()
	program := filepath.Join(t.TempDir(), "grasp-sim")
	build := exec.CommandContext(t.Context(), "go", "build", "-o", program, "../../cmd/grasp-sim")
	build.Env = append(build.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("build grasp-sim: %v\n%s", err, out)
	}
	name := fmt.Sprintf("graspkit-containertest-%d", os.Getpid())
	if err := e.ImportProgram(t.Context(), name, program); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.RemoveImage(name); err != nil {
			t.Error(err)
		}
	})
	return name
}

// start runs the image until the test ends.
func start(t *testing.T, e *container.Engine, image container.Image) *container.Server {
	t.Helper()
	s, err := e.Start(t.Context(), image)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("output of the server:\n%s", s.Output())
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}
