package client

import (
	"context"
	"net/http"
)

// ListRefs asks for refs as git does: the advertisement, and in version 2 the refs that begin with one of the prefixes, all
// for none, in the order given. An answer in an older version holds all refs. What it returns is what Advertise returns.
func (c *Client) ListRefs(ctx context.Context, repoPath string, version int, prefixes []string) Observation {
	if version != 2 {
		return c.Advertise(ctx, repoPath, UploadPack, version)
	}
	return c.advertise(ctx, repoPath, UploadPack, protocolHeader(version), "/info/refs?service="+UploadPack, prefixes)
}

// AdvertiseAt asks for the advertisement of upload-pack by a query and a header Git-Protocol of the caller's spelling.
func (c *Client) AdvertiseAt(ctx context.Context, repoPath, query string, header http.Header) Observation {
	return c.advertise(ctx, repoPath, UploadPack, header, "/info/refs?"+query, nil)
}

// AdvertiseReceiving asks for the advertisement of receive-pack with headers of the caller's.
func (c *Client) AdvertiseReceiving(ctx context.Context, repoPath string, header http.Header) Observation {
	return c.advertise(ctx, repoPath, ReceivePack, header, "/info/refs?service="+ReceivePack, nil)
}
