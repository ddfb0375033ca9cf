package gitproto

import "io"

// A Writer writes pkt-lines. The first error of the underlying writer sticks and makes later calls do nothing; ask
// for it once, with Err.
type Writer struct {
	w   io.Writer
	err error
	buf []byte
}

// NewWriter returns a Writer on w. Every packet is one call of w.Write.
func NewWriter(w io.Writer) *Writer { return &Writer{w: w} }

// Line writes text and a line feed as one packet. It panics if they are longer than DataMax bytes.
func (w *Writer) Line(text string) { w.packet(0, text, "\n") }

// Text writes text as one packet, without a line feed. It panics if the text is longer than DataMax bytes.
func (w *Writer) Text(text string) { w.packet(0, text, "") }

// Flush writes a flush packet.
func (w *Writer) Flush() { w.write([]byte("0000")) }

// Delim writes a delimiter packet.
func (w *Writer) Delim() { w.write([]byte("0001")) }

// Err returns the first error of the underlying writer.
func (w *Writer) Err() error { return w.err }

// packet writes a payload of up to three parts; band 0 stands for no band byte.
func (w *Writer) packet(band byte, text, end string) {
	size := 4 + len(text) + len(end)
	if band != 0 {
		size++
	}
	if size > PacketMax {
		panic("gitproto: invariant: a packet is longer than 65520 bytes")
	}
	w.buf = appendLength(w.buf[:0], size)
	if band != 0 {
		w.buf = append(w.buf, band)
	}
	w.buf = append(w.buf, text...)
	w.buf = append(w.buf, end...)
	w.write(w.buf)
}

func (w *Writer) write(p []byte) {
	if w.err == nil {
		_, w.err = w.w.Write(p)
	}
}

func appendLength(p []byte, size int) []byte {
	const hex = "0123456789abcdef"
	return append(p, hex[size>>12&15], hex[size>>8&15], hex[size>>4&15], hex[size&15])
}

// WriteError writes the packet "ERR <text>" that makes a client stop and show the text. Control characters become
// spaces and a long text is cut.
func WriteError(w io.Writer, text string) error {
	lines := NewWriter(w)
	lines.Line("ERR " + oneLine(text))
	return lines.Err()
}

// lineMax bounds a text for people inside the protocol, in bytes.
const lineMax = 1000

// oneLine keeps a text for people on one line of the protocol.
func oneLine(text string) string {
	text = text[:min(len(text), lineMax)]
	clean := []byte(text)
	for i, c := range clean {
		if c < 0x20 || c == 0x7f {
			clean[i] = ' '
		}
	}
	return string(clean)
}
