package cli

import (
	"io"
	"os"
	"sync"
)

// An output is stdout as commands have it. It keeps the first error of a write: most of what prints looks at none, and a command
// whose words were lost has not done what was asked of it.
type output struct {
	w io.Writer

	mu  sync.Mutex
	err error // guarded by mu
}

// Write implements [io.Writer].
func (o *output) Write(p []byte) (int, error) {
	n, err := o.w.Write(p)
	if err != nil {
		o.mu.Lock()
		defer o.mu.Unlock()
		if o.err == nil {
			o.err = err
		}
	}
	return n, err
}

func (o *output) lost() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}

// FileOf returns the file that a command writes to, if it is one.
func FileOf(w io.Writer) (*os.File, bool) {
	if o, is := w.(*output); is {
		w = o.w
	}
	file, is := w.(*os.File)
	return file, is
}
