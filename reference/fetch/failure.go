package fetch

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/textproto"
	"strconv"
	"strings"
	"time"
)

// A Failure says in one word why a fetch did not bring what it was to bring. It is a fact for the queue that decides
// what happens next.
type Failure string

// The failures.
const (
	None        Failure = ""             // the answer was read; what it did not bring is in Result.Missing
	Refused     Failure = "refused"      // no connection could be made, be it for a name server, or it was reset before an answer
	Lookup      Failure = "lookup"       // the name of the host leads nowhere (REF-HUNT-25)
	Certificate Failure = "certificate"  // the host is not who it has to be, or speaks no TLS (REF-HUNT-25)
	Forbidden   Failure = "forbidden"    // the URL, or the address that it leads to, is none that may be asked (SEC-02)
	Redirected  Failure = "redirected"   // the host sends us elsewhere (REF-HUNT-23)
	Denied      Failure = "denied"       // 401 or 403: it wants credentials, which it does not get
	NotFound    Failure = "not found"    // 404 or 410, or none of the objects can be asked for
	NotOurs     Failure = "not ours"     // the host has refused an object by name: it is in Result.Denied
	RateLimited Failure = "rate limited" // 429, or 503 with Retry-After
	ServerError Failure = "server error" // any other status
	Timeout     Failure = "timeout"      // a limit of Timeouts was reached
	Broken      Failure = "broken"       // the connection ended too early
	NoHTTP      Failure = "no HTTP"      // what answers speaks something else (REF-HUNT-25)
	BadData     Failure = "bad data"     // the answer is no git, or a pack that is not whole
	TooLarge    Failure = "too large"    // a limit of Limits was reached
	Canceled    Failure = "canceled"     // by Cancel or Close
	Store       Failure = "store"        // our own store failed
)

// An Error is a failure with its details, for logs. What a host said may be part of its text.
type Error struct {
	Failure    Failure
	RetryAfter time.Duration // what the host asked for; 0 if nothing
	Err        error
}

// Error returns the failure and its cause.
func (e *Error) Error() string { return fmt.Sprintf("fetch: %s: %v", e.Failure, e.Err) }

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

func failed(f Failure, format string, args ...any) error {
	return &Error{Failure: f, Err: fmt.Errorf(format, args...)}
}

// errTimeout is the cause of a context whose time is over.
type errTimeout struct{ phase string }

func (e *errTimeout) Error() string { return e.phase + " took too long" }

// errForbidden is what the dialer returns for an address that may not be asked.
var errForbidden = errors.New("address is not a public one")

// errCanceled is the cause of a context that Cancel or Close has ended.
var errCanceled = errors.New("canceled")

// classify names the failure behind an error of the network.
func classify(ctx context.Context, err error) error {
	var own *Error
	if errors.As(err, &own) {
		return own
	}
	var timeout *errTimeout
	switch cause := context.Cause(ctx); {
	case cause == nil:
	case errors.As(cause, &timeout):
		return &Error{Failure: Timeout, Err: cause}
	default:
		return &Error{Failure: Canceled, Err: cause}
	}
	return &Error{Failure: FailureOf(err), Err: err}
}

// FailureOf names the failure behind an error of a connection that a dialer of NewDialer made or tried to make: Forbidden,
// Timeout, Refused, Lookup, Certificate, NoHTTP or, of anything else, Broken.
func FailureOf(err error) Failure {
	var dns *net.DNSError
	var verification *tls.CertificateVerificationError
	var record tls.RecordHeaderError
	var alert tls.AlertError
	var op *net.OpError
	var malformed textproto.ProtocolError
	switch {
	case errors.Is(err, errForbidden):
		return Forbidden
	case errors.As(err, &dns) && dns.IsTimeout:
		return Timeout
	case errors.As(err, &dns) && dns.IsTemporary: // our name server is out of order, which is no fault of the host
		return Refused
	case errors.As(err, &dns):
		return Lookup
	case errors.As(err, &verification), errors.As(err, &record), errors.As(err, &alert), errors.Is(err, http.ErrSchemeMismatch):
		return Certificate
	case errors.As(err, &op) && op.Op == "dial":
		if op.Timeout() {
			return Timeout
		}
		return Refused
	case errors.As(err, &malformed), strings.Contains(err.Error(), "malformed HTTP"): // net/http has no other name for it
		return NoHTTP
	}
	return Broken
}

// statusError says what a status other than 200 means.
func statusError(resp *http.Response, now time.Time) error {
	after := retryAfter(resp.Header.Get("Retry-After"), now)
	f := ServerError
	switch {
	case resp.StatusCode == http.StatusTooManyRequests, resp.StatusCode == http.StatusServiceUnavailable && after > 0:
		f = RateLimited
	case resp.StatusCode == http.StatusNotFound, resp.StatusCode == http.StatusGone:
		f, after = NotFound, 0
	case resp.StatusCode == http.StatusUnauthorized, resp.StatusCode == http.StatusForbidden:
		f, after = Denied, 0
	case resp.StatusCode >= 300 && resp.StatusCode < 400:
		f, after = Redirected, 0
	default:
		after = 0
	}
	return &Error{Failure: f, RetryAfter: after, Err: fmt.Errorf("status %d", resp.StatusCode)}
}

// retryAfterMax bounds what a host may ask for.
const retryAfterMax = 24 * time.Hour

// retryAfter reads Retry-After: seconds, or an HTTP date (RFC 9110, section 10.2.3). What makes no sense is 0.
func retryAfter(text string, now time.Time) time.Duration {
	text = strings.TrimSpace(text)
	var after time.Duration
	if seconds, err := strconv.ParseInt(text, 10, 64); err == nil {
		after = time.Duration(min(seconds, int64(retryAfterMax/time.Second))) * time.Second
	} else if at, err := http.ParseTime(text); err == nil {
		after = at.Sub(now)
	}
	return min(max(after, 0), retryAfterMax)
}
