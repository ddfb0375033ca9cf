package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"github.com/graspkit/graspkit/conformance/record"
	"github.com/graspkit/graspkit/conformance/report"
	"github.com/graspkit/graspkit/internal/cli"
)

// A form is something that a document is written as, by the flag of its name.
type form struct {
	name, usage string
	write       func(io.Writer, *record.Document) error
}

// forms are all of them; the first one is the document itself.
func forms() []form {
	return []form{
		{"json", "write the document of the run, run.json, to `FILE`", record.Write},
		{"html", "write one page that needs no network to `FILE`", report.HTML},
		{"junit", "write JUnit XML to `FILE`", report.JUnit},
		{"tap", "write the Test Anything Protocol, version 14, to `FILE`", report.TAP},
		{"sarif", "write SARIF 2.1.0 to `FILE`", report.SARIF},
		{"markdown", "write a step summary for GitHub to `FILE`", report.Markdown},
		{"annotations", "write annotations for GitHub to `FILE`", report.Annotations},
		{"badge", "write what a shields endpoint shows to `FILE`", report.Badge},
		{"claim", "write what may be claimed, as YAML, to `FILE`", report.ClaimYAML},
	}
}

// isForm reports whether a flag says where a document goes.
func isForm(name string) bool {
	for _, f := range forms() {
		if f.name == name {
			return true
		}
	}
	return false
}

// outputs are the files that a document goes to, by the flags of the forms. That they can be written is tried before there is a document,
// and they are written together: each is whole at its place, or what was there before is. Nothing of them exists in between, so that
// who is killed leaves nothing.
type outputs struct {
	paths map[string]*string
	files []*outputFile
}

// flags adds the flags of the forms to a command, but for those named.
func (o *outputs) flags(cmd *cobra.Command, but ...string) {
	o.paths = map[string]*string{}
	for _, f := range forms() {
		if !strings.Contains(" "+strings.Join(but, " ")+" ", " "+f.name+" ") {
			o.paths[f.name] = cmd.Flags().String(f.name, "", f.usage+"; - is stdout")
		}
	}
}

// path is where a form goes, "" if it was not asked for.
func (o *outputs) path(name string) string {
	if p := o.paths[name]; p != nil {
		return *p
	}
	return ""
}

// toStdout reports whether a form was asked for on stdout, where nothing else may be then.
func (o *outputs) toStdout() bool {
	for _, p := range o.paths {
		if *p == "-" {
			return true
		}
	}
	return false
}

// open makes sure that every file that was asked for can be written. What was opened, pipes and the like, is left to close.
func (o *outputs) open(stdout io.Writer) error {
	by := map[string]string{}
	for _, f := range forms() {
		path := o.path(f.name)
		if path == "" {
			continue
		}
		if other, taken := by[filepath.Clean(path)]; taken {
			return cli.Usagef("--%s and --%s both write to %s", other, f.name, path)
		}
		by[filepath.Clean(path)] = f.name
		file, err := openOutput(f, path, stdout)
		if err != nil {
			return &cli.ExitError{
				Code: cli.ExitUsage, Err: fmt.Errorf("--%s: %w", f.name, err), Hint: "name a file in a directory that exists and can be written to",
			}
		}
		o.files = append(o.files, file)
	}
	return nil
}

// write writes the document to all files.
func (o *outputs) write(doc *record.Document) error {
	return o.each(func(f form, w io.Writer) error { return f.write(w, doc) })
}

// each writes all files; one that cannot be written keeps no other one from it. What went wrong is one error.
func (o *outputs) each(write func(f form, w io.Writer) error) error {
	var wrong []error
	for _, f := range o.files {
		if err := f.finish(write); err != nil {
			wrong = append(wrong, fmt.Errorf("--%s: %w", f.form.name, err))
		}
	}
	o.files = nil
	if len(wrong) == 0 {
		return nil
	}
	return &cli.ExitError{
		Code: cli.ExitHarness, Err: errors.Join(wrong...), Hint: "what was at that place before is still there, and nothing that is half written",
	}
}

// close gives up what was opened and not written.
func (o *outputs) close() {
	for _, f := range o.files {
		f.drop()
	}
	o.files = nil
}

// An outputFile is a form on its way to its place.
type outputFile struct {
	form   form
	w      io.Writer
	file   *os.File // nil for stdout, and while there is none yet
	place  string   // where the file is moved when it is whole; "" if it is there already
	before fs.FileMode
}

// openOutput opens a new file beside the place that a path names. What is no regular file, such as a pipe, is written as it is.
func openOutput(f form, path string, stdout io.Writer) (*outputFile, error) {
	if path == "-" {
		return &outputFile{form: f, w: stdout}, nil
	}
	info, err := os.Stat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, err //nolint:wrapcheck // it names the path
	case info.IsDir():
		return nil, fmt.Errorf("%s is a directory", path)
	case !info.Mode().IsRegular() || strings.HasPrefix(path, "/dev/"):
		file, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return nil, err //nolint:wrapcheck // it names the path
		}
		return &outputFile{form: f, w: file, file: file}, nil
	default:
		writable, err := os.OpenFile(path, os.O_WRONLY, 0) // a directory may let replace what itself takes no writes
		if err != nil {
			return nil, err //nolint:wrapcheck // it names the path
		}
		_ = writable.Close()
		if path, err = filepath.EvalSymlinks(path); err != nil { // else the link would be replaced
			return nil, err //nolint:wrapcheck // it names the path
		}
	}
	out := &outputFile{form: f, place: path}
	if info != nil {
		out.before = info.Mode().Perm()
	}
	if err := out.begin(); err != nil { // to see whether it can be done
		return nil, err
	}
	out.drop()
	removeParts(path)
	return out, nil
}

// begin makes the file that is moved to its place when it is whole.
func (f *outputFile) begin() error {
	file, err := os.OpenFile(f.place+"."+freshText()+partSuffix, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err //nolint:wrapcheck // it names the path
	}
	f.w, f.file = file, file
	return nil
}

const partSuffix = ".part"

// partForm is the name of such a file, behind that of its place.
var partForm = regexp.MustCompile(`^\.[0-9a-f]{16}\.part$`)

// removeParts removes what was left beside a place by somebody who was killed while he wrote.
func removeParts(place string) {
	dir, name := filepath.Split(place)
	entries, err := os.ReadDir(filepath.Clean(dir))
	if err != nil {
		return // nothing that can be seen is left
	}
	for _, e := range entries {
		if rest, is := strings.CutPrefix(e.Name(), name); is && partForm.MatchString(rest) && e.Type().IsRegular() {
			_ = os.Remove(filepath.Join(dir, e.Name())) // it harms nobody
		}
	}
}

// finish writes the file and moves it to its place.
func (f *outputFile) finish(write func(f form, w io.Writer) error) (err error) {
	if f.w == nil {
		if err := f.begin(); err != nil {
			return err
		}
	}
	buffered := bufio.NewWriterSize(f.w, 1<<16)
	if err = write(f.form, buffered); err == nil {
		err = buffered.Flush()
	}
	if f.file == nil {
		return err //nolint:wrapcheck // write names the flag
	}
	if f.place != "" && err == nil {
		err = f.file.Sync() // a disk may say only now that it is full
	}
	if f.before != 0 && err == nil {
		err = f.file.Chmod(f.before)
	}
	if closed := f.file.Close(); err == nil {
		err = closed
	}
	if f.place == "" {
		return err //nolint:wrapcheck // write names the flag
	}
	if err == nil {
		err = os.Rename(f.file.Name(), f.place)
	}
	if err != nil {
		_ = os.Remove(f.file.Name())
	}
	return err //nolint:wrapcheck // write names the flag
}

// drop ends a file that no document was written to.
func (f *outputFile) drop() {
	if f.file == nil {
		return
	}
	_ = f.file.Close()
	if f.place != "" {
		_ = os.Remove(f.file.Name())
	}
	f.w, f.file = nil, nil
}
