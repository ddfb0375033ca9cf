package client

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// listRefs fills the refs of a version 2 advertisement with ls-refs.
func (c *Client) listRefs(ctx context.Context, repoPath string, advert Advert, prefixes []string) Observation {
	body := appendPkt(nil, "command=ls-refs\n")
	body = append(body, delimPkt...)
	body = appendPkt(body, "peel\n")
	body = appendPkt(body, "symrefs\n")
	if value, _ := advert.Cap("ls-refs"); strings.Contains(value, "unborn") {
		body = appendPkt(body, "unborn\n")
	}
	for _, prefix := range prefixes {
		body = appendPkt(body, "ref-prefix "+prefix+"\n")
	}
	body = append(body, flushPkt...)
	o := c.rpc(ctx, repoPath, UploadPack, 2, Wire{}, payload{head: body})
	answer, ok := o.(HTTPAnswer)
	if !ok || answer.Status != http.StatusOK {
		return o
	}
	if err := advert.readRefs(answer.Body); err != nil {
		return pktObservation("advertisement", answer, err)
	}
	return advert
}

// rpc performs one POST to a service of a repository.
func (c *Client) rpc(ctx context.Context, repoPath, service string, version int, wire Wire, body payload) Observation {
	header := protocolHeader(version)
	body = wire.apply(header, body)
	if header.Set("Content-Type", "application/x-"+service+"-request"); wire.Type != "" {
		header.Set("Content-Type", wire.Type)
	}
	if wire.Type == NoType {
		header.Del("Content-Type")
	}
	header.Set("Accept", "application/x-"+service+"-result")
	return c.exchange(ctx, http.MethodPost, repoPath+"/"+service+wire.Query, header, body, wire.more+wire.HoldMax)
}

// readRefs decodes the answer to ls-refs.
func (o *Advert) readRefs(body []byte) error {
	p := &pktReader{rest: body}
	for {
		kind, line, err := p.line()
		if err != nil {
			return fmt.Errorf("ls-refs: %w", err)
		}
		if kind == pktFlush {
			return nil
		}
		if kind != pktData {
			return errors.New("ls-refs: a special pkt-line other than flush")
		}
		if len(o.Refs) >= refsMax {
			return fmt.Errorf("ls-refs: more than %d refs", refsMax)
		}
		if err := o.addListed(line); err != nil {
			return err
		}
	}
}

// addListed takes one line "oid name [symref-target:x] [peeled:y]".
func (o *Advert) addListed(line string) error {
	fields := strings.Split(line, " ")
	if len(fields) < 2 || (fields[0] != "unborn" && !validOID(fields[0])) {
		return fmt.Errorf("ls-refs: malformed line %q", clip(line))
	}
	ref := Ref{OID: fields[0], Name: fields[1]}
	for _, attribute := range fields[2:] {
		if to, ok := strings.CutPrefix(attribute, "symref-target:"); ok {
			o.Symrefs[ref.Name] = to
		}
		if to, ok := strings.CutPrefix(attribute, "peeled:"); ok {
			ref.Peeled = to
		}
	}
	if ref.OID != "unborn" {
		o.Refs = append(o.Refs, ref)
	}
	return nil
}
