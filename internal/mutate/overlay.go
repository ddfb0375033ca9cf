package mutate

import (
	_ "embed" // for the text of the switch
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"
)

// The environment of a program that was built with an overlay.
const (
	// ActiveEnv is the number of the mutant that the program is; 0 or nothing is none.
	ActiveEnv = "GRASPKIT_MUTANT"
	// ReachedEnv is a file to which an honest program appends, on a line each, the numbers of the points that it reaches.
	ReachedEnv = "GRASPKIT_MUTANT_REACHED"
)

// switchText is the file that each package gets besides: the switch, and the forms that mistakes have.
//
//go:embed testdata/switch.go.txt
var switchText string

// switchFile is its name.
const switchFile = "mutant_switch.go"

// errNone is returned when there is nothing to change.
var errNone = errors.New("no place for a mistake was found")

// Build reads the packages that the patterns name, as seen from root, which is the module's root, and writes into dir
// their sources with all mistakes behind the switch. It returns the file that go build -overlay takes, and the points in
// the order of their numbers.
func Build(root, dir string, patterns ...string) (overlay string, points []Point, err error) {
	root, err = filepath.Abs(root)
	if err != nil {
		return "", nil, fmt.Errorf("module's root: %w", err)
	}
	loaded, err := packages.Load(&packages.Config{
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedImports | packages.NeedDeps | packages.NeedExportFile |
			packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedTypesSizes,
		Dir: root,
	}, patterns...)
	if err != nil {
		return "", nil, fmt.Errorf("load packages: %w", err)
	}
	replace := map[string]string{}
	write := func(original, text string) error {
		relative, err := filepath.Rel(root, original)
		if err != nil {
			return fmt.Errorf("place of a source: %w", err)
		}
		written := filepath.Join(dir, strings.ReplaceAll(filepath.ToSlash(relative), "/", "_"))
		replace[original] = written
		if err := os.WriteFile(written, []byte(text), 0o600); err != nil {
			return fmt.Errorf("write overlay: %w", err)
		}
		return nil
	}
	nth := map[string]int{}
	for _, pkg := range loaded {
		if len(pkg.Errors) > 0 {
			return "", nil, fmt.Errorf("load package %s: %w", pkg.PkgPath, pkg.Errors[0])
		}
		for _, file := range pkg.Syntax {
			original := pkg.Fset.File(file.Package).Name()
			source, err := os.ReadFile(original)
			if err != nil {
				return "", nil, fmt.Errorf("read source: %w", err)
			}
			relative, err := filepath.Rel(root, original)
			if err != nil {
				return "", nil, fmt.Errorf("place of a source: %w", err)
			}
			f := &finder{pkg: pkg, file: file, source: source, path: filepath.ToSlash(relative), next: len(points) + 1}
			f.find()
			for _, p := range f.points {
				nth[p.Key()]++
				p.Nth = nth[p.Key()]
				points = append(points, p)
			}
			if err := write(original, f.text.apply(source)); err != nil {
				return "", nil, err
			}
		}
		folder := filepath.Dir(pkg.GoFiles[0])
		text := strings.Replace(switchText, "package mutant\n", "package "+pkg.Name+"\n", 1)
		if err := write(filepath.Join(folder, switchFile), text); err != nil {
			return "", nil, err
		}
	}
	if len(points) == 0 {
		return "", nil, errNone
	}
	if overlay, err = writeOverlay(dir, replace); err != nil {
		return "", nil, err
	}
	return overlay, points, nil
}
