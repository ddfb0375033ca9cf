package legal

import (
	"net/http"
	"strings"
	"time"

	"github.com/graspkit/graspkit/conformance/target"
)

// absentFrom are how many bytes of a push keep a server of one thing at a time busy.
const absentFrom = 64 << 10

// absent are servers that answer nobody for a while.
func absent() []Server {
	return []Server{{
		Name: "one-thing-at-a-time", What: "answers nobody for 25 s behind a push of more than 64 KiB",
		Near:   []string{"G01-PUSH-24", "G01-PUSH-25", "G01-GIT-19"},
		habits: func() []habit { return []habit{busyBehind(25*time.Second, isLargePush)} },
	}}
}

// isLargePush leaves out what is compressed: it is large to nobody before it is unpacked.
func isLargePush(req *http.Request, size int) bool {
	return req.Header.Get("Content-Encoding") == "" && req.Method == http.MethodPost && size > absentFrom && strings.HasSuffix(target.RequestTarget(req), "/git-receive-pack")
}

// busyBehind answers nobody for so long behind some requests, by their size in bytes.
func busyBehind(pause time.Duration, which func(req *http.Request, size int) bool) habit {
	var until time.Time // guarded by the front's lock
	return habit{
		says: func(now time.Time, _ *line, _ []byte) (time.Duration, bool) { return max(0, until.Sub(now)), true },
		answer: func(f *front, req *http.Request, next exchange) (*http.Response, error) {
			body, err := whole(req)
			if err != nil {
				return nil, err
			}
			resp, err := next(req)
			f.mu.Lock()
			if which(req, len(body)) {
				until = f.Now().Add(pause)
			}
			wait := until.Sub(f.Now())
			f.mu.Unlock()
			if err == nil && wait > 0 {
				err = f.Sleep(req.Context(), wait)
			}
			return resp, err
		},
	}
}
