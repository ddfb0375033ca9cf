package servetarget

import "testing"

// Who names a place for temporary files is obeyed; everybody else gets the usual one, or memory if there is enough of it.
func TestScratchObeysTMPDIR(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	if got := scratch(); got != "" {
		t.Errorf("with TMPDIR: got %q, want the place that it names", got)
	}
	for _, place := range []string{"", usual} {
		t.Setenv("TMPDIR", place)
		if got := scratch(); got != "" && got != sharedMemory {
			t.Errorf("TMPDIR=%q: got %q, want the usual place or %s", place, got, sharedMemory)
		}
	}
}
