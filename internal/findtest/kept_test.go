//go:build unix

package findtest

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// The names of what is kept in the folder of a program.
const (
	ofErrand  = "of-"      // an errand begins with it,
	ofReached = "reached-" // and what a run of the honest server comes by
	endEnding = ".end"     // how an errand ended
)

// forgetOthers removes what is kept of runs if another program made them.
func (p *program) forgetOthers() error {
	built, err := os.ReadFile(p.path("program"))
	if err != nil {
		return fmt.Errorf("program: %w", err)
	}
	name := fmt.Appendf(nil, "%x\n", sha256.Sum256(built))
	if was, err := os.ReadFile(p.path("program.sha256")); err == nil && bytes.Equal(was, name) {
		return nil
	}
	entries, err := os.ReadDir(p.dir)
	if err != nil {
		return fmt.Errorf("what is kept of runs: %w", err)
	}
	var failed []error
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), ofErrand) || strings.HasPrefix(e.Name(), ofReached) {
			failed = append(failed, os.Remove(filepath.Join(p.dir, e.Name())))
		}
	}
	return errors.Join(append(failed, os.WriteFile(p.path("program.sha256"), name, 0o600))...)
}

// endOf returns how an errand ended that was gone on before. Of one that was not what is left is removed.
func endOf(file string, errand []byte) (v verdict, known bool) {
	was, err := os.ReadFile(file)
	text, missing := os.ReadFile(file + endEnding)
	if err == nil && missing == nil && bytes.Equal(was, errand) && json.Unmarshal(text, &v) == nil {
		return v, true
	}
	for _, left := range []string{file + endEnding, file + ".verdict"} {
		if err := os.Remove(left); err != nil && !errors.Is(err, os.ErrNotExist) {
			panic("what is left of an errand: " + err.Error())
		}
	}
	return verdict{}, false
}

// keepEnd writes down how an errand ended. Where that cannot be done it is gone on again another time.
func keepEnd(file string, v verdict) {
	if text, err := json.Marshal(v); err == nil {
		_ = os.WriteFile(file+endEnding, text, 0o600)
	}
}
