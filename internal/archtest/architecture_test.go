package archtest_test

import (
	"path/filepath"
	"strings"
	"testing"
)

// moduleRoot is the module's root as seen from this package's folder.
const moduleRoot = "../.."

func TestSources(t *testing.T) {
	t.Parallel()
	tr := readTree(t, moduleRoot)
	found := checkImports(tr)
	found = append(found, checkShape(tr)...)
	found = append(found, checkText(tr)...)
	for _, f := range sortFindings(found) {
		t.Error(f)
	}
	if len(tr.goFiles()) == 0 {
		t.Error("no Go file was judged")
	}
}

func TestPureRooms(t *testing.T) {
	t.Parallel()
	root, err := filepath.Abs(moduleRoot)
	if err != nil {
		t.Fatal(err)
	}
	judged := 0
	for _, pkg := range loadTyped(t, root, "./reference/...", "./sim/...") {
		room := strings.TrimPrefix(pkg.PkgPath, module)
		var found []finding
		if isPure(room) {
			judged++
			found = checkPure(pkg, root, rooms[room] == pureGit)
		}
		if within(room, "reference") {
			found = append(found, checkSpecUse(pkg, root, specPath)...)
		}
		for _, f := range sortFindings(found) {
			t.Error(f)
		}
		if len(pkg.Errors) > 0 {
			t.Errorf("%s does not compile, so what is said of it is not complete: %v", room, pkg.Errors[0])
		}
	}
	if judged == 0 {
		t.Error("no pure room was judged")
	}
}
