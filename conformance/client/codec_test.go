package client_test

import (
	"bytes"
	"crypto/sha1"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/graspkit/graspkit/conformance/client"
)

func TestReadAdvert(t *testing.T) {
	oid, peeled := strings.Repeat("a", 40), strings.Repeat("b", 40)
	first := oid + " HEAD\x00symref=HEAD:refs/heads/main agent=x\n"
	prelude := pkt("# service=git-upload-pack\n") + "0000"
	want := client.Advert{
		Service: client.UploadPack,
		Refs:    []client.Ref{{Name: "HEAD", OID: oid}, {Name: "refs/tags/v", OID: oid, Peeled: peeled}},
		Symrefs: map[string]string{"HEAD": "refs/heads/main"},
		Caps:    []string{"symref=HEAD:refs/heads/main", "agent=x"},
	}
	v1, v2 := want, client.Advert{
		Service: client.UploadPack, Version: 2, Symrefs: map[string]string{}, Caps: []string{"agent=x", "ls-refs=unborn"},
	}
	v1.Version = 1
	tags := pkt(oid+" refs/tags/v\n") + pkt(peeled+" refs/tags/v^{}\n")
	tests := []struct {
		name, in string
		want     client.Advert
		err      string
	}{
		{"v0", prelude + pkt(first) + tags + "0000", want, ""},
		{"v1", prelude + pkt("version 1\n") + pkt(first) + tags + "0000", v1, ""},
		{"v2 without prelude", pkt("version 2\n") + pkt("agent=x\n") + pkt("ls-refs=unborn\n") + "0000", v2, ""},
		{"v2 with prelude", prelude + pkt("version 2\n") + pkt("agent=x") + pkt("ls-refs=unborn") + "0000", v2, ""},
		{"ERR", prelude + pkt("ERR access denied\n"), client.Advert{}, `ERR "access denied"`},
		{"ERR instead of the prelude", pkt("ERR no"), client.Advert{}, `ERR "no"`},
		{"empty", "", client.Advert{}, "no flush at the end"},
		{"no flush", prelude + pkt(first), client.Advert{}, "no flush at the end"},
		{"no flush after prelude", pkt("# service=git-upload-pack\n") + pkt(first), client.Advert{}, "no flush after the service line"},
		{"no capabilities", prelude + pkt(oid+" HEAD\n") + "0000", client.Advert{}, "first ref line has no capabilities"},
		{"html", "<html>", client.Advert{}, "not hexadecimal"},
		{"peeled before tag", prelude + pkt(first) + pkt(peeled+" refs/tags/v^{}\n") + "0000", client.Advert{}, "does not follow its tag"},
		{"bad oid", prelude + pkt("xyz HEAD\x00a\n") + "0000", client.Advert{}, "malformed ref line"},
		{"delim", prelude + pkt(first) + "0001", client.Advert{}, "special pkt-line"},
		{"cut short", prelude + pkt(first)[:20], client.Advert{}, "cut short"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := client.ReadAdvert([]byte(test.in), client.UploadPack)
			if test.err != "" {
				if err == nil || !strings.Contains(err.Error(), test.err) {
					t.Errorf("error: got %v, want %q", err, test.err)
				}
				return
			}
			if diff := cmp.Diff(test.want, got); diff != "" || err != nil {
				t.Errorf("error %v (-want +got):\n%s", err, diff)
			}
		})
	}
}

func TestReadReport(t *testing.T) {
	inner := pkt("unpack ok\n") + pkt("ok refs/heads/a\n") + pkt("ng refs/heads/b not declared by a state\n") + "0000"
	want := client.PushReport{Unpack: "ok", Refs: []client.RefReport{
		{Name: "refs/heads/a", OK: true}, {Name: "refs/heads/b", Reason: "not declared by a state"},
	}}
	banded := want
	banded.Messages = "hello\n"
	tests := []struct {
		name, in string
		want     client.PushReport
		err      string
	}{
		{"plain", inner, want, ""},
		{"side-band", pkt("\x02hello\n") + pkt("\x01"+inner[:9]) + pkt("\x01"+inner[9:]) + "0000", banded, ""},
		{"band 3", pkt("\x02hello\n") + pkt("\x03fatal\n") + "0000", want, `ERR "fatal"`},
		{"ERR", pkt("ERR denied\n"), want, `ERR "denied"`},
		{"empty", "", want, "without a report"},
		{"flush only", "0000", want, "without a report"},
		{"messages only", pkt("\x02hello\n") + "0000", want, "without a report"},
		{"no flush", pkt("unpack ok\n"), want, "no flush"},
		{"ref before unpack", pkt("ok refs/heads/a\n") + "0000", want, "unexpected line"},
		{"html", "<html>", want, "not hexadecimal"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, err := client.ReadReport([]byte(test.in))
			if test.err != "" {
				if err == nil || !strings.Contains(err.Error(), test.err) {
					t.Errorf("error: got %v, want %q", err, test.err)
				}
				return
			}
			if diff := cmp.Diff(test.want, got); diff != "" || err != nil {
				t.Errorf("error %v (-want +got):\n%s", err, diff)
			}
		})
	}
}

func TestReadPackWithDeltas(t *testing.T) {
	server, c := serveGit(t)
	h := client.NewHistory("deltas")
	long := strings.Repeat("a line that is there in every version\n", 400)
	tip := ""
	for i := range 6 {
		tip = h.Commit(tip, map[string]string{"file": fmt.Sprintf("%s%d\n", long, i)}, "next")
	}
	server.push(c, h.Pack([]string{tip}, nil), client.Command{Old: client.ZeroOID, New: tip, Ref: "refs/heads/main"})
	server.git("-C", server.dir, "repack", "-adfq")
	for _, base := range []string{"--delta-base-offset", "--no-reuse-object"} {
		cmd := server.command("-C", server.dir, "pack-objects", "--all", "--revs", "--stdout", "-q", base)
		cmd.Stdin = strings.NewReader("")
		pack, err := cmd.Output()
		if err != nil {
			t.Fatalf("pack-objects %s: %v", base, err)
		}
		if len(pack) > len(long) {
			t.Errorf("pack %s: got %d bytes, want deltas", base, len(pack))
		}
		got, err := client.ReadPack(pack)
		if want := len(h.Closure(tip)); err != nil || got != want {
			t.Errorf("ReadPack %s: got %d objects, %v, want %d", base, got, err, want)
		}
	}
}

func TestReadPackRefusesNonsense(t *testing.T) {
	good := client.NewHistory("pack")
	pack := good.Pack([]string{good.Commit("", map[string]string{"a": "b"}, "c")}, nil)
	entry := func(entries string) []byte {
		out := append([]byte("PACK\x00\x00\x00\x02"), binary.BigEndian.AppendUint32(nil, 1)...)
		out = append(out, entries...)
		sum := sha1.Sum(out)
		return append(out, sum[:]...)
	}
	many := bytes.Clone(pack)
	copy(many[8:], "\xff\xff\xff\xff")
	tests := []struct {
		name string
		in   []byte
	}{
		{"empty", nil},
		{"not a pack", []byte(strings.Repeat("x", 64))},
		{"cut short", pack[:len(pack)-1]},
		{"too many", many},
		{"bomb", entry("\xb0\x80\x80\x80\x80\x7f" + "\x78\x9c\x03\x00\x00\x00\x00\x01")},
		{"delta outside", entry("\x60\x7f" + "\x78\x9c\x03\x00\x00\x00\x00\x01")},
		{"delta without base", entry("\x70" + strings.Repeat("b", 20) + "\x78\x9c\x03\x00\x00\x00\x00\x01")},
		{"reserved type", entry("\x50")},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			if n, err := client.ReadPack(test.in); err == nil {
				t.Errorf("ReadPack: got %d objects, want an error", n)
			}
		})
	}
}

func pkt(payload string) string { return fmt.Sprintf("%04x%s", len(payload)+4, payload) }

// What is null is no text and no number, though encoding/json takes it for an empty one.
func TestNullIsNoValue(t *testing.T) {
	id := strings.Repeat("a", 64)
	event := func(content, tags string) string {
		return `["EVENT","q",{"id":"` + id + `","pubkey":"` + id + `","created_at":1,"kind":1,"tags":` + tags + `,"content":` + content + `,"sig":"x"}]`
	}
	for raw, want := range map[string]bool{
		`["OK","` + id + `",true,""]`:          true,
		`["OK","` + id + `",true,null]`:        false,
		`["OK","` + id + `",null,""]`:          false,
		`["EOSE",null]`:                        false,
		`["NOTICE","null"]`:                    true,
		`["COUNT","q",{"count":null}]`:         false,
		event(`"null"`, `[["t","null"]]`):      true,
		event(`null`, `[]`):                    false,
		event(`""`, `null`):                    false,
		event(`"null"`, `[["t",null]]`):        false,
		event(`""`, `[null]`):                  false,
		`["COUNT","q",{"count":1,"hll":null}]`: true,
	} {
		if _, _, err := client.ParseMessage([]byte(raw)); (err == nil) != want {
			t.Errorf("%s: got %v, want it readable: %t", raw, err, want)
		}
	}
}
