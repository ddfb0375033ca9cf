package launch

import (
	"errors"
	"net"
	"strings"
)

// LineMax bounds a command line given to Words, in bytes.
const LineMax = 64 << 10

// Errors of a command line that cannot be split into words.
var (
	// ErrQuote is returned when a quote is not closed, or a backslash is the last byte.
	ErrQuote = errors.New("launch: a quote is not closed")
	// ErrLine is returned when a command line is empty, or longer than LineMax.
	ErrLine = errors.New("launch: an empty command line, or one that is too long")
)

// Words splits a command line as a shell does: at spaces, tabs and line ends; 'text' is literal, "text" is literal but
// for \" and \\, and a backslash elsewhere makes the next byte literal. There are no variables, patterns, pipes or
// redirections; who needs them starts a shell.
func Words(line string) ([]string, error) {
	if len(line) > LineMax {
		return nil, ErrLine
	}
	var words []string
	var word strings.Builder
	begun := false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; c {
		case ' ', '\t', '\n', '\r':
			if begun {
				words = append(words, word.String())
				word.Reset()
				begun = false
			}
		case '\\':
			i++
			if i == len(line) {
				return nil, ErrQuote
			}
			word.WriteByte(line[i])
			begun = true
		case '\'', '"':
			length, ok := quoted(&word, line[i+1:], c)
			if !ok {
				return nil, ErrQuote
			}
			i += length
			begun = true
		default:
			word.WriteByte(c)
			begun = true
		}
	}
	if begun {
		words = append(words, word.String())
	}
	if len(words) == 0 || words[0] == "" {
		return nil, ErrLine
	}
	return words, nil
}

// quoted writes the text up to a closing quote, and returns how many bytes it took with that quote.
func quoted(word *strings.Builder, text string, quote byte) (length int, ok bool) {
	for i := 0; i < len(text); i++ {
		c := text[i]
		switch {
		case c == quote:
			return i + 1, true
		case c == '\\' && quote == '"' && i+1 < len(text) && (text[i+1] == '"' || text[i+1] == '\\'):
			i++
			c = text[i]
		}
		word.WriteByte(c)
	}
	return 0, false
}

// A Place is what the placeholders of a command line stand for: {addr}, {host} and {port}, {url}, {data}.
type Place struct {
	Addr string // host:port to listen on
	URL  string // of the service
	Data string // a directory
}

// Fill returns the words with every placeholder replaced.
func (p Place) Fill(words []string) []string {
	host, port, _ := net.SplitHostPort(p.Addr)
	with := strings.NewReplacer(
		"{addr}", p.Addr, "{host}", host, "{port}", port, "{url}", p.URL, "{data}", p.Data)
	filled := make([]string, 0, len(words))
	for _, word := range words {
		filled = append(filled, with.Replace(word))
	}
	return filled
}

// listens reports whether the words say where the server is to listen.
func listens(words []string) bool {
	for _, word := range words {
		for _, name := range []string{"{addr}", "{port}", "{url}"} {
			if strings.Contains(word, name) {
				return true
			}
		}
	}
	return false
}
