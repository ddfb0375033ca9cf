package fetch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"slices"
	"sync/atomic"

	"github.com/graspkit/graspkit/reference/gitstore"
	"github.com/graspkit/graspkit/reference/repo"
)

// A flight is one fetch under way. Its steps run on one goroutine; what others may look at is atomic or locked.
type flight struct {
	fetcher  *Fetcher
	request  Request
	cancel   context.CancelCauseFunc
	watch    *watch
	over     <-chan struct{}      // closed when the fetch is to end, for whatever reason
	turn     chan struct{}        // closed when its turn comes
	queued   bool                 // it waits for its turn; guarded by fetcher.mu
	conn     atomic.Pointer[Wire] // on which an answer is awaited or read; nil between
	requests int
	private  bool // the host has asked for a token
	denied   []repo.OID
}

func (fl *flight) end() { fl.cancel(errCanceled) }

// waits reports whether nothing happens in the fetch before bytes come, a deadline passes or its turn comes. The lock of
// the fetcher is held.
func (fl *flight) waits() (Wait, bool) {
	select {
	case <-fl.over:
		return Wait{}, false
	default:
	}
	if fl.queued {
		return Wait{}, true
	}
	c := fl.conn.Load()
	if c == nil {
		return Wait{}, false
	}
	read, _, waits := c.Count()
	return Wait{Local: c.LocalAddr().String(), Read: read}, waits && !fl.watch.overdue()
}

// run carries the fetch out.
func (fl *flight) run(ctx context.Context) Result {
	f := fl.fetcher
	defer f.leave(fl)
	select {
	case <-fl.turn:
	case <-ctx.Done():
	}
	fl.watch.start(f.options.Timeouts.Whole)
	defer fl.watch.stop()
	err := context.Cause(ctx)
	if err == nil {
		err = fl.fetch(ctx)
	}
	return fl.result(ctx, err)
}

func (fl *flight) result(ctx context.Context, err error) Result {
	r := Result{Requests: fl.requests, Denied: fl.denied, Err: err}
	if err != nil {
		own := &Error{Failure: Store, Err: err}
		if ctx.Err() != nil {
			err = classify(ctx, err)
		}
		errors.As(err, &own)
		r.Failure, r.RetryAfter, r.Err = own.Failure, own.RetryAfter, own
	}
	missing, err := fl.fetcher.options.Backend.Missing(fl.request.Repo, fl.request.OIDs)
	if err != nil {
		missing = fl.request.OIDs
		if r.Failure == None {
			r.Failure, r.Err = Store, &Error{Failure: Store, Err: fmt.Errorf("ask for objects: %w", err)}
		}
	}
	r.Missing = missing
	r.Got = r.Failure == None && len(missing) < len(fl.request.OIDs)
	return r
}

// fetch asks for what is not there yet.
func (fl *flight) fetch(ctx context.Context) error {
	base, err := parseURL(fl.request.URL)
	if err != nil {
		return err
	}
	backend := fl.fetcher.options.Backend
	wants, err := backend.Missing(fl.request.Repo, fl.request.OIDs)
	if err != nil {
		return fmt.Errorf("ask for objects: %w", err)
	}
	if len(wants) == 0 {
		return nil
	}
	wants = slices.DeleteFunc(slices.Clone(wants), func(oid repo.OID) bool {
		return len(oid) != len(repo.ZeroOID) || !repo.IsOID(string(oid)) || oid.IsZero() // REF-HUNT-22
	})
	if len(wants) == 0 {
		return failed(NotFound, "none of the objects can be in a repository of SHA-1")
	}
	wants = wants[:min(len(wants), fl.fetcher.options.Limits.Wants)]
	refs, err := backend.Refs(fl.request.Repo)
	if err != nil {
		return fmt.Errorf("read refs: %w", err)
	}
	base, a, err := fl.advertisement(ctx, base, wants)
	if err != nil {
		return err
	}
	return fl.narrow(ctx, base, a, wants, havesOf(refs))
}

func havesOf(refs gitstore.Refs) []repo.OID {
	var haves []repo.OID
	for _, ref := range refs.Refs {
		if len(haves) < havesMax && !slices.Contains(haves, ref.OID) {
			haves = append(haves, ref.OID)
		}
	}
	return haves
}

// narrow asks for a pack, and again without the objects that the host refuses if Limits.Narrow lets it.
func (fl *flight) narrow(ctx context.Context, base *url.URL, a advertisement, wants, haves []repo.OID) error {
	for {
		ask := wants
		if !a.bySHA() {
			ask = a.tips(wants)
		}
		if len(ask) == 0 {
			return failed(NotFound, "the host shows none of the objects")
		}
		err := fl.pack(ctx, base, a, ask, wants, haves)
		var denied *deniedError
		switch {
		case !errors.As(err, &denied):
			return err
		case !slices.Contains(wants, denied.oid):
			return failed(BadData, "the host refuses %s, which nobody asked for", denied.oid)
		}
		fl.denied = append(fl.denied, denied.oid)
		wants = slices.DeleteFunc(slices.Clone(wants), func(oid repo.OID) bool { return oid == denied.oid })
		if len(wants) == 0 || !a.bySHA() || len(fl.denied) > fl.fetcher.options.Limits.Narrow {
			return &Error{Failure: NotOurs, Err: err}
		}
	}
}

// advertisement asks what the host has, and returns where it is in the end.
func (fl *flight) advertisement(ctx context.Context, base *url.URL, wants []repo.OID) (*url.URL, advertisement, error) {
	for left := redirectsMax + 1; left > 0; left-- {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, base.String()+advertisementPath+"?"+advertisementQuery, http.NoBody)
		if err != nil {
			return nil, advertisement{}, failed(Forbidden, "URL makes no request")
		}
		req.Header.Set("Git-Protocol", "version=2")
		req.Header.Set("Accept", "application/x-git-upload-pack-advertisement")
		if err := fl.authorized(req, base); err != nil {
			return nil, advertisement{}, err
		}
		resp, err := fl.exchange(ctx, req)
		if err != nil {
			return nil, advertisement{}, err
		}
		if isRedirect(resp.StatusCode) {
			fl.finish(resp.Body)
			if base, err = follow(base, resp); err != nil {
				return nil, advertisement{}, err
			}
			continue
		}
		if fl.asksForToken(resp) {
			fl.finish(resp.Body)
			left++ // the same once more
			continue
		}
		a, err := fl.readAdvertisement(ctx, resp, wants)
		return base, a, err
	}
	return nil, advertisement{}, failed(Redirected, "more than %d redirects", redirectsMax)
}

func isRedirect(status int) bool {
	switch status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusSeeOther, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return true
	}
	return false
}

func (fl *flight) readAdvertisement(ctx context.Context, resp *http.Response, wants []repo.OID) (advertisement, error) {
	defer fl.finish(resp.Body)
	if err := fl.check(resp, "application/x-git-upload-pack-advertisement"); err != nil {
		return advertisement{}, err
	}
	return readAdvertisement(&answer{ctx, fl, resp, fl.fetcher.options.Limits.Advertisement}, wants)
}

// check looks at the header of an answer.
func (fl *flight) check(resp *http.Response, contentType string) error {
	if resp.StatusCode != http.StatusOK {
		return statusError(resp, fl.fetcher.options.Clock.Now())
	}
	if got := resp.Header.Get("Content-Type"); got != contentType {
		return failed(BadData, "content type is %.100q", got)
	}
	return nil
}

// pack asks for the objects ask and keeps what of wants comes.
func (fl *flight) pack(ctx context.Context, base *url.URL, a advertisement, ask, wants, haves []repo.OID) (err error) {
	spool, err := os.CreateTemp(fl.fetcher.options.Spool, "graspkit-fetch-*")
	if err != nil {
		return fmt.Errorf("spool of a pack: %w", err)
	}
	defer func() { err = errors.Join(err, spool.Close(), os.Remove(spool.Name())) }()
	if err := fl.receive(ctx, base, a, packRequest(a, ask, haves), spool); err != nil {
		return err
	}
	if _, err := spool.Seek(0, io.SeekStart); err != nil {
		return fmt.Errorf("spool of a pack: %w", err)
	}
	taking, err := fl.fetcher.options.Backend.Take(ctx, fl.request.Repo, wants, spool)
	switch {
	case err != nil:
		return fmt.Errorf("take pack: %w", err)
	case taking.Refused != "":
		return failed(BadData, "pack refused: %s", taking.Refused)
	}
	return nil
}

// receive sends the request for a pack and spools it.
func (fl *flight) receive(ctx context.Context, base *url.URL, a advertisement, request []byte, spool io.Writer) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, base.String()+"/git-upload-pack", bytes.NewReader(request))
	if err != nil {
		return failed(Forbidden, "URL makes no request")
	}
	req.Header.Set("Content-Type", "application/x-git-upload-pack-request")
	req.Header.Set("Accept", "application/x-git-upload-pack-result")
	if a.version == 2 {
		req.Header.Set("Git-Protocol", "version=2")
	}
	if err := fl.authorized(req, base); err != nil {
		return err
	}
	resp, err := fl.exchange(ctx, req)
	if err != nil {
		return err
	}
	defer fl.finish(resp.Body)
	if err := fl.check(resp, "application/x-git-upload-pack-result"); err != nil {
		return err
	}
	limit := fl.fetcher.options.Limits.Pack
	// The side-band takes five bytes of 65,520 and as many of progress as the host likes.
	body := &answer{ctx, fl, resp, limit + limit/8 + 1<<20}
	return readPack(body, a, &limited{spool, limit})
}

// limited is a spool that takes no more than so many bytes.
type limited struct {
	io.Writer
	left int64
}

// Write implements io.Writer.
func (l *limited) Write(p []byte) (int, error) {
	if int64(len(p)) > l.left {
		return 0, failed(TooLarge, "the pack is longer than allowed")
	}
	l.left -= int64(len(p))
	n, err := l.Writer.Write(p)
	if err != nil {
		err = fmt.Errorf("spool of a pack: %w", err)
	}
	return n, err
}
