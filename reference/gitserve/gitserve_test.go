package gitserve_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/reference/gitproto"
	"github.com/graspkit/graspkit/reference/gitserve"
	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

var testID = repo.ID{
	Owner: "79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798", Identifier: "r",
}

type running struct{}

func (running) Err() error { return nil }

var errBroken = errors.New("open /secret/path: broken")

// A gate answers with what it is given and keeps what it was told.
type gate struct {
	admission gitserve.Admission
	err       error
	offers    [][]gitproto.Command
	shapes    []gitproto.Shape
	done      []gitstore.Report
	ready     int
	late      string // why the push is refused when its pack is here
}

func (g *gate) Offer(_ repo.ID, commands []gitproto.Command, shape gitproto.Shape) (gitserve.Admission, error) {
	g.offers = append(g.offers, commands)
	g.shapes = append(g.shapes, shape)
	return g.admission, g.err
}

// Ready answers late, if it has something to say.
func (g *gate) Ready() (gitserve.Admission, error) {
	g.ready++
	if g.late != "" {
		return gitserve.Admission{Reason: g.late}, nil
	}
	return gitserve.Admission{Admitted: true}, nil
}

func (g *gate) Done(report gitstore.Report) error {
	g.done = append(g.done, report)
	return nil
}

// A backend keeps what it is told to execute and answers with what it is given.
type backend struct {
	gitstore.Backend
	report gitstore.Report
	err    error
	panics bool
	pushes []gitstore.Push
	pack   string
}

func (b *backend) Receive(_ gitstore.Cancel, _ repo.ID, push gitstore.Push, pack io.Reader) (gitstore.Report, error) {
	b.pushes = append(b.pushes, push)
	if b.panics {
		panic("broken store")
	}
	head := make([]byte, 4)
	_, _ = io.ReadFull(pack, head)
	b.pack = string(head)
	if err := push.Arrived(); err != nil {
		return gitstore.Report{}, err
	}
	return b.report, b.err
}

func (b *backend) UploadPack(gitstore.Cancel, repo.ID, int, io.Reader, io.Writer) error { return b.err }

const (
	oid      = repo.OID("aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa")
	mainName = "refs/heads/main"
)

func body(capabilities ...string) *strings.Reader {
	var b bytes.Buffer
	list := gitproto.CommandList{
		Commands:     []gitproto.Command{{Old: repo.ZeroOID, New: oid, Ref: mainName}},
		Capabilities: capabilities, Shape: gitproto.Shape{Options: []string{"a=b"}},
	}
	if err := gitproto.WriteCommands(&b, list); err != nil {
		panic(err)
	}
	return strings.NewReader(b.String() + "PACK and more")
}

// lines encodes lines as packets.
func lines(list ...string) string {
	var b strings.Builder
	for _, line := range list {
		fmt.Fprintf(&b, "%04x%s\n", len(line)+5, line)
	}
	return b.String()
}

// bands splits a side-band answer.
func bands(t *testing.T, answer string) (one, two string) {
	t.Helper()
	r := gitproto.NewReader(strings.NewReader(answer), 1<<20)
	for {
		p, err := r.Next()
		if err != nil {
			t.Fatalf("answer %q ends without a flush: %v", answer, err)
		}
		switch {
		case p.Kind == gitproto.FlushPacket:
			return one, two
		case p.Data[0] == gitproto.PackBand:
			one += string(p.Data[1:])
		case p.Data[0] == gitproto.ProgressBand:
			two += string(p.Data[1:])
		}
	}
}

func TestReceivePackRefusal(t *testing.T) {
	const reason = "No state events in purgatory"
	report := lines("unpack ok", "ng refs/heads/main "+reason) + "0000"
	for _, test := range []struct {
		name         string
		capabilities []string
		plain        string
		one, two     string
	}{
		{"no report", nil, lines("ERR authorisation failed: " + reason), "", ""},
		{"report", []string{"report-status"}, report, "", ""},
		{"side-band", []string{"report-status-v2", "side-band-64k"}, "", report, "authorisation failed: " + reason + "\n"},
	} {
		g := &gate{admission: gitserve.Admission{Reason: reason}}
		b := &backend{}
		in := body(test.capabilities...)
		var out bytes.Buffer
		if err := gitserve.ReceivePack(running{}, b, g, testID, in, &out); err != nil {
			t.Errorf("%s: %v", test.name, err)
		}
		if test.plain != "" && out.String() != test.plain {
			t.Errorf("%s: got %q, want %q", test.name, out.String(), test.plain)
		}
		if test.one != "" {
			if one, two := bands(t, out.String()); one != test.one || two != test.two {
				t.Errorf("%s: got bands %q and %q, want %q and %q", test.name, one, two, test.one, test.two)
			}
		}
		if len(b.pushes) != 0 || len(g.done) != 0 || in.Len() != 0 {
			t.Errorf("%s: got %d executed, %d done, %d bytes unread, want none", test.name, len(b.pushes), len(g.done), in.Len())
		}
	}
}

// What is executed is what was judged, and the gate hears the outcome once, whatever happens.
func TestReceivePackAdmitted(t *testing.T) {
	commands := []gitproto.Command{{Old: repo.ZeroOID, New: oid, Ref: mainName}}
	success := gitstore.Report{Unpack: gitstore.UnpackOK, Results: []gitstore.Result{{Ref: mainName, OK: true}}}
	failure := gitstore.Refused(commands, "storage error", nil)
	broken := gitstore.Refused(commands, "the pack is cut off", nil)
	for _, test := range []struct {
		name         string
		backend      backend
		capabilities []string
		want         gitstore.Report
		answer       string
		fails        bool
	}{
		{"success", backend{report: success}, []string{"report-status"}, success, lines("unpack ok", "ok refs/heads/main") + "0000", false},
		{"success without report", backend{report: success}, nil, success, "", false},
		{"broken pack", backend{report: broken}, nil, broken, lines("ERR the pack is cut off"), false},
		{"refused ref", backend{report: gitstore.Refused(commands, "ok", nil)}, nil, gitstore.Refused(commands, "ok", nil), lines("ERR refs/heads/main: " + gitstore.ReasonAtomic), false},
		{"storage", backend{err: errBroken}, []string{"report-status"}, failure, lines("unpack storage error", "ng refs/heads/main unpacker error") + "0000", true},
		{"storage, but the refs moved", backend{report: success, err: errBroken}, nil, success, lines("ERR refs/heads/main: storage error"), true},
	} {
		g := &gate{admission: gitserve.Admission{Admitted: true}}
		in := body(test.capabilities...)
		var out bytes.Buffer
		err := gitserve.ReceivePack(running{}, &test.backend, g, testID, in, &out)
		if test.fails != errors.Is(err, errBroken) {
			t.Errorf("%s: got error %v", test.name, err)
		}
		if out.String() != test.answer {
			t.Errorf("%s: got %q, want %q", test.name, out.String(), test.answer)
		}
		if diff := cmp.Diff([]gitstore.Report{test.want}, g.done); diff != "" {
			t.Errorf("%s: done (-want +got):\n%s", test.name, diff)
		}
		if diff := cmp.Diff(g.offers[0], test.backend.pushes[0].Commands); diff != "" {
			t.Errorf("%s: executed (-judged +executed):\n%s", test.name, diff)
		}
		if test.backend.pack != "PACK" || in.Len() != 0 {
			t.Errorf("%s: got pack %q and %d bytes unread", test.name, test.backend.pack, in.Len())
		}
		if strings.Contains(out.String(), "secret") {
			t.Errorf("%s: answer %q names a path", test.name, out.String())
		}
	}
}

func TestReceivePackPanickingStore(t *testing.T) {
	g := &gate{admission: gitserve.Admission{Admitted: true}}
	defer func() {
		if recover() == nil || len(g.done) != 1 || g.done[0].Unpack != "storage error" {
			t.Errorf("done: got %+v, want one storage error, and the panic", g.done)
		}
	}()
	_ = gitserve.ReceivePack(running{}, &backend{panics: true}, g, testID, body(), io.Discard)
}

func TestReceivePackProbe(t *testing.T) {
	g, b := &gate{}, &backend{}
	var out bytes.Buffer
	if err := gitserve.ReceivePack(running{}, b, g, testID, strings.NewReader("0000"), &out); err != nil {
		t.Fatal(err)
	}
	if out.Len() != 0 || len(g.offers) != 0 || len(b.pushes) != 0 {
		t.Errorf("probe: got %q, %d offers, %d pushes, want nothing", out.String(), len(g.offers), len(b.pushes))
	}
}

func TestReceivePackMalformed(t *testing.T) {
	g := &gate{admission: gitserve.Admission{Admitted: true}}
	var out bytes.Buffer
	in := strings.NewReader("0009hello0000PACK")
	if err := gitserve.ReceivePack(running{}, &backend{}, g, testID, in, &out); err != nil {
		t.Fatal(err)
	}
	const want = `ERR authorisation failed: "hello" is not a command`
	if !strings.Contains(out.String(), want) || len(g.offers) != 0 || in.Len() != 0 {
		t.Errorf("got %q, %d offers, %d bytes unread, want %q", out.String(), len(g.offers), in.Len(), want)
	}
}

// Who asked for a report gets one even where the commands cannot be read: not every client reads an ERR packet.
func TestReceivePackMalformedReport(t *testing.T) {
	const text = "unpack authorisation failed: bad ref name \"refs/heads/a..b\"\n"
	command := string(repo.ZeroOID) + " " + string(oid)
	for _, band := range []bool{false, true} {
		capabilities := "\x00report-status"
		if band {
			capabilities += " side-band-64k"
		}
		for _, in := range []string{
			lines(command+" refs/heads/a..b"+capabilities) + "0000",
			lines(command+" refs/heads/main"+capabilities, command+" refs/heads/a..b") + "0000",
		} {
			g := &gate{admission: gitserve.Admission{Admitted: true}}
			var out bytes.Buffer
			if err := gitserve.ReceivePack(running{}, &backend{}, g, testID, strings.NewReader(in), &out); err != nil {
				t.Fatal(err)
			}
			got := out.String()
			if band {
				got, _ = bands(t, got)
			}
			if want := lines(strings.TrimSuffix(text, "\n")) + "0000"; got != want || len(g.offers) != 0 {
				t.Errorf("%q: got %q, %d offers, want %q", in, got, len(g.offers), want)
			}
		}
	}
}

// G01-PUSH-18: the gate hears of a certificate; even an admission executes nothing.
func TestReceivePackCertificate(t *testing.T) {
	const cert = "001cpush-cert\x00report-status\n0013push-cert-end\n0000"
	for _, admitted := range []bool{false, true} {
		g := &gate{admission: gitserve.Admission{Admitted: admitted, Reason: "no certificates"}}
		b := &backend{}
		var out bytes.Buffer
		if err := gitserve.ReceivePack(running{}, b, g, testID, strings.NewReader(cert), &out); err != nil {
			t.Fatal(err)
		}
		if len(g.shapes) != 1 || !g.shapes[0].Certificate || len(g.offers[0]) != 0 || len(b.pushes) != 0 {
			t.Errorf("admitted %t: got shapes %+v, commands %v, pushes %v", admitted, g.shapes, g.offers, b.pushes)
		}
		if admitted != (len(g.done) == 1) || out.Len() == 0 {
			t.Errorf("admitted %t: got %d done, answer %q", admitted, len(g.done), out.String())
		}
	}
}

func TestReceivePackGateFails(t *testing.T) {
	g := &gate{err: errBroken}
	b := &backend{}
	var out bytes.Buffer
	err := gitserve.ReceivePack(running{}, b, g, testID, body(), &out)
	if !errors.Is(err, errBroken) || out.Len() != 0 || len(g.done) != 0 || len(b.pushes) != 0 {
		t.Errorf("got %v, %q, %d done, %d pushes, want only the error", err, out.String(), len(g.done), len(b.pushes))
	}
}

func TestUploadPackErrors(t *testing.T) {
	var out bytes.Buffer
	b := &backend{err: &gitproto.ProtocolError{What: "upload-pack: not our ref " + string(oid)}}
	if err := gitserve.UploadPack(running{}, b, testID, "version=2", nil, &out); err != nil {
		t.Fatal(err)
	}
	if want := "ERR upload-pack: not our ref " + string(oid) + "\n"; !strings.HasSuffix(out.String(), want) {
		t.Errorf("got %q, want %q", out.String(), want)
	}
	out.Reset()
	b.err = errBroken
	if err := gitserve.UploadPack(running{}, b, testID, "", nil, &out); !errors.Is(err, errBroken) || out.Len() != 0 {
		t.Errorf("got %v and %q, want the error and no answer", err, out.String())
	}
}

func TestAdvertise(t *testing.T) {
	m := gitstore.NewMemory(gitstore.Limits{})
	var out bytes.Buffer
	err := gitserve.Advertise(running{}, m, testID, gitproto.UploadPackService, "", &out)
	if !errors.Is(err, gitstore.ErrNoRepository) || out.Len() != 0 {
		t.Errorf("unknown repository: got %v and %q", err, out.String())
	}
	if err := m.Create(testID); err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		service gitproto.Service
		header  string
		want    string
	}{
		{gitproto.UploadPackService, "version=2", "000eversion 2\n"},
		{gitproto.UploadPackService, "version=1", "001e# service=git-upload-pack\n0000000eversion 1\n"},
		{gitproto.ReceivePackService, "version=2", "001f# service=git-receive-pack\n0000" + "00ab" + string(repo.ZeroOID) + " capabilities^{}\x00report-status"},
		{gitproto.ReceivePackService, "version=1", "001f# service=git-receive-pack\n0000000eversion 1\n"},
	} {
		out.Reset()
		if err := gitserve.Advertise(running{}, m, testID, test.service, test.header, &out); err != nil {
			t.Fatal(err)
		}
		if got := out.String(); !strings.HasPrefix(got, test.want) {
			t.Errorf("%s %s: got %q, want %q", test.service, test.header, got, test.want)
		}
	}
}

func TestBody(t *testing.T) {
	var packed bytes.Buffer
	z := gzip.NewWriter(&packed)
	_, _ = z.Write(bytes.Repeat([]byte("a"), 1000))
	_ = z.Close()
	read := func(encoding, data string, limit int64) (string, error) {
		r, err := gitserve.Body(encoding, strings.NewReader(data), limit)
		if err != nil {
			return "", err
		}
		text, err := io.ReadAll(r)
		return string(text), err
	}
	if got, err := read("gzip", packed.String(), 1000); err != nil || len(got) != 1000 {
		t.Errorf("gzip: got %d bytes, %v, want 1000", len(got), err)
	}
	if got, err := read("", "plain", 5); err != nil || got != "plain" {
		t.Errorf("plain: got %q, %v", got, err)
	}
	var tooLarge *gitserve.TooLargeError
	for _, encoding := range []string{"gzip", ""} {
		data := packed.String()
		if encoding == "" {
			data = strings.Repeat("a", 1000)
		}
		if got, err := read(encoding, data, 999); !errors.As(err, &tooLarge) || tooLarge.Limit != 999 || len(got) > 999 {
			t.Errorf("%q over the limit: got %d bytes, %v", encoding, len(got), err)
		}
	}
	for _, encoding := range []string{"br", "gzip, gzip"} {
		if _, err := read(encoding, "x", 10); !errors.Is(err, gitserve.ErrEncoding) {
			t.Errorf("%s: got %v, want ErrEncoding", encoding, err)
		}
	}
	if _, err := read("gzip", "no gzip", 10); !errors.Is(err, gitserve.ErrEncoding) {
		t.Errorf("broken gzip: got %v, want ErrEncoding", err)
	}
}
