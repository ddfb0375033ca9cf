package suite

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"

	"github.com/graspkit/graspkit/conformance/client"
)

// bombOf posts so many megabytes of zeros, compressed to a thousandth, behind what a proper request begins with.
func (w *world) bombOf(megabytes int, service, lead string) outcome {
	name := client.UploadPack
	if service == "push" {
		name = client.ReceivePack
	}
	var body bytes.Buffer
	z := gzip.NewWriter(&body)
	zeros := make([]byte, 1<<20)
	_, err := z.Write([]byte(lead))
	for range megabytes {
		if err == nil {
			_, err = z.Write(zeros)
		}
	}
	if err == nil {
		err = z.Close()
	}
	if err != nil {
		panic("suite: invariant: compress to memory: " + err.Error())
	}
	header := http.Header{"Content-Type": {"application/x-" + name + "-request"}, "Content-Encoding": {"gzip"}}
	w.page = w.client.Do(w.ctx, http.MethodPost, w.path("owner")+"/"+name, header, body.Bytes())
	w.note("the answer is %.200v", w.page)
	return outcome{}
}

// bombLead is what a bomb begins with.
func (w *world) bombLead(what string) string {
	first, second := w.git.history.oid("first"), w.git.history.oid("second")
	list := pkt(fmt.Sprintf("%s %s refs/heads/main\x00 %s", first, second, client.CapsDefault)) + "0000"
	switch what {
	case "nothing":
		return ""
	case "a list of commands":
		return list
	case "a list and the head of a pack":
		return list + "PACK\x00\x00\x00\x02\x00\x00\x00\x03"
	}
	panic("suite: invariant: unknown beginning " + what)
}
