package client_test

import (
	"strings"
	"testing"

	"github.com/graspkit/graspkit/conformance/client"
)

func FuzzReadAdvert(f *testing.F) {
	oid := strings.Repeat("a", 40)
	f.Add([]byte(pkt("# service=git-upload-pack\n") + "0000" + pkt(oid+" HEAD\x00symref=HEAD:refs/heads/main\n") + "0000"))
	f.Add([]byte(pkt("version 2\n") + pkt("ls-refs=unborn\n") + "0000"))
	f.Add([]byte(pkt(oid+" HEAD symref-target:refs/heads/main peeled:"+oid) + pkt("unborn HEAD symref-target:x") + "0000"))
	f.Add([]byte(pkt("ERR no") + "0003"))
	f.Fuzz(func(_ *testing.T, body []byte) {
		advert, err := client.ReadAdvert(body, client.UploadPack)
		if err == nil {
			_, _ = advert.String(), advert.Fingerprint()
		}
		_, _ = client.ReadListed(body)
	})
}

func FuzzReadReport(f *testing.F) {
	f.Add([]byte(pkt("unpack ok\n") + pkt("ng refs/heads/b no\n") + "0000"))
	f.Add([]byte(pkt("\x01"+pkt("unpack ok\n")+"0000") + "0000"))
	f.Add([]byte(pkt("\x03fatal")))
	f.Fuzz(func(t *testing.T, body []byte) {
		report, err := client.ReadReport(body)
		if err == nil && report.Unpack == "" {
			t.Errorf("report without unpack: %v", report)
		}
	})
}

func FuzzReadFetch(f *testing.F) {
	h := client.NewHistory("fuzz")
	pack := string(h.Pack([]string{h.Commit("", map[string]string{"a": "b"}, "c")}, nil))
	f.Add([]byte(pkt("NAK\n")+pkt("\x01"+pack)+"0000"), 0)
	f.Add([]byte(pkt("NAK\n")+pack), 0)
	f.Add([]byte(pkt("shallow-info\n")+"0001"+pkt("packfile\n")+pkt("\x01"+pack)+"0000"), 2)
	f.Fuzz(func(_ *testing.T, body []byte, version int) {
		pack, err := client.ReadFetch(body, version)
		if err == nil {
			_, _ = client.ReadPack(pack)
		}
		_, _ = client.ReadPack(body)
	})
}

func FuzzParseMessage(f *testing.F) {
	f.Add([]byte(`["OK","a",true,"x: y"]`))
	f.Add([]byte(`["EVENT","s",{"tags":[null,["a"]]}]`))
	f.Add([]byte(`["CLOSED","s",null]`))
	f.Fuzz(func(t *testing.T, raw []byte) {
		label, ev, err := client.ParseMessage(raw)
		if err == nil && (label == "EVENT") != (ev != nil) {
			t.Errorf("message %q: got label %q and event %v", raw, label, ev)
		}
	})
}
