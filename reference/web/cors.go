package web

// CORS returns the headers that every response carries, exactly once (G01-CORS-01 to G01-CORS-03).
func (c Config) CORS() []Header {
	return []Header{
		{"Access-Control-Allow-Origin", "*"},
		{"Access-Control-Allow-Methods", "GET, POST"},
		{
			"Access-Control-Allow-Headers",
			"Content-Type, Authorization, Git-Protocol, Accept, Content-Encoding, X-Requested-With",
		},
	}
}

// remembered lets a browser ask once a day whether it may, instead of before each request; some do so for less.
var remembered = Header{"Access-Control-Max-Age", "86400"}

// Error returns a plain text answer. The text is for the client: no paths of files, no internal errors.
func (c Config) Error(status int, text string) Response {
	return c.respond(status, "text/plain; charset=utf-8", []byte(text+"\n"))
}

func (c Config) respond(status int, contentType string, body []byte, extra ...Header) Response {
	header := append(c.CORS(),
		Header{"Content-Type", contentType},
		Header{"Cache-Control", "no-cache"},
		Header{"X-Content-Type-Options", "nosniff"})
	return Response{Status: status, Header: append(header, extra...), Body: body}
}
