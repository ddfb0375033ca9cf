package client

import (
	"net/http"
	"strings"
)

// Refusal reports whether o is a refusal by the server, and its reason in the server's words.
//
// Only these are refusals: an OK with false, an ERR pkt-line, a push report with a failed unpack or a
// refused ref, an HTTP status 4xx other than 408 and 429. Silence, a transport error, a rate limit, HTTP
// 5xx and an answer that breaks its protocol never are. A CLOSED frame ends a subscription; it refuses
// no event and no push.
func Refusal(o Observation) (reason string, is bool) {
	switch o := o.(type) {
	case OKFrame:
		if o.Accepted || o.Prefix == prefixRateLimited {
			return "", false
		}
		return joinPrefix(o.Prefix, o.Text), true
	case ErrPkt:
		return o.Text, true
	case PushReport:
		return refusedPush(o)
	case HTTPAnswer:
		if o.Status < 400 || o.Status > 499 || unprovenStatus(o.Status) {
			return "", false
		}
		return strings.TrimSpace(clip(http.StatusText(o.Status) + " " + string(o.Body))), true
	}
	return "", false
}

func refusedPush(o PushReport) (reason string, is bool) {
	if o.Unpack != "ok" && o.Unpack != "" {
		return "unpack " + o.Unpack, true
	}
	for _, r := range o.Refs {
		if !r.OK {
			return r.Name + " " + r.Reason, true
		}
	}
	return "", false
}

// Inconclusive reports whether o proves nothing about the server's decision: silence, lateness, a transport
// error, a rate limit, HTTP 5xx, 408 and 429. The nil Observation is not inconclusive.
func Inconclusive(o Observation) bool {
	switch o := o.(type) {
	case Silence, Late, TransportError, RateLimited:
		return true
	case OKFrame:
		return !o.Accepted && o.Prefix == prefixRateLimited
	case ClosedFrame:
		return o.Prefix == prefixRateLimited
	case NegErrFrame:
		return o.Prefix == prefixRateLimited
	case HTTPAnswer:
		return o.Status >= 500 || unprovenStatus(o.Status)
	}
	return false
}

// unprovenStatus tells the 4xx statuses that speak of time and pace, not of the request.
func unprovenStatus(status int) bool {
	return status == http.StatusTooManyRequests || status == http.StatusRequestTimeout
}

const prefixRateLimited = "rate-limited"

// splitPrefix cuts a NIP-01 message into its machine-readable prefix (a single word before the first
// colon) and the rest.
func splitPrefix(message string) (prefix, text string) {
	word, rest, ok := strings.Cut(message, ":")
	if !ok || word == "" || strings.ContainsAny(word, " \t\r\n") {
		return "", message
	}
	return word, strings.TrimPrefix(rest, " ")
}
