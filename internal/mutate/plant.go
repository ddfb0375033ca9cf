package mutate

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// A Change puts one text in the place of another in a source file. One without an old text is a file of its own.
type Change struct {
	File     string // as seen from the module's root
	Old, New string
}

// Plant writes into dir the sources of the module at root with the changes made, and returns the file that go build -overlay
// takes. It fails if a text that is changed is not there exactly once.
func Plant(root, dir string, changes []Change) (overlay string, err error) {
	root, err = filepath.Abs(root)
	if err != nil {
		return "", fmt.Errorf("module's root: %w", err)
	}
	texts := map[string]string{}
	for _, c := range changes {
		text, read := texts[c.File]
		if c.Old == "" && !read {
			texts[c.File] = c.New
			continue
		}
		if !read {
			source, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(c.File)))
			if err != nil {
				return "", fmt.Errorf("read source: %w", err)
			}
			text = string(source)
		}
		if n := strings.Count(text, c.Old); n != 1 {
			return "", fmt.Errorf("%s has %q %d times, where a mistake wants it once: the source has changed, so look at it again", c.File, c.Old, n)
		}
		texts[c.File] = strings.Replace(text, c.Old, c.New, 1)
	}
	replace := map[string]string{}
	for file, text := range texts {
		written := filepath.Join(dir, strings.ReplaceAll(file, "/", "_"))
		if err := os.WriteFile(written, []byte(text), 0o600); err != nil {
			return "", fmt.Errorf("write overlay: %w", err)
		}
		replace[filepath.Join(root, filepath.FromSlash(file))] = written
	}
	return writeOverlay(dir, replace)
}

// writeOverlay writes which file is to be read in the place of which.
func writeOverlay(dir string, replace map[string]string) (string, error) {
	list, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		return "", fmt.Errorf("overlay: %w", err)
	}
	overlay := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(overlay, list, 0o600); err != nil {
		return "", fmt.Errorf("write overlay: %w", err)
	}
	return overlay, nil
}
