package gitproto

import "io"

// The bands of a side-band stream.
const (
	PackBand     byte = 1 // the pack, or report-status
	ProgressBand byte = 2 // text that the client shows after "remote: "
	ErrorBand    byte = 3 // a fatal text; the client stops
)

// Packet sizes of the two side-band capabilities, in bytes with length and band.
const (
	SideBandMax    = 1000
	SideBand64kMax = PacketMax
)

// A Band is an io.Writer that cuts what it is given into packets of one band.
type Band struct {
	w    io.Writer
	band byte
	size int
	buf  []byte
}

// NewBand returns a Band on w whose packets are at most packetMax bytes long: SideBandMax or SideBand64kMax.
func NewBand(w io.Writer, band byte, packetMax int) *Band {
	return &Band{w: w, band: band, size: packetMax - 5}
}

// Write writes p as one or more packets. An empty p writes nothing.
func (b *Band) Write(p []byte) (int, error) {
	written := 0
	for len(p) > 0 {
		part := p[:min(len(p), b.size)]
		b.buf = append(appendLength(b.buf[:0], len(part)+5), b.band)
		b.buf = append(b.buf, part...)
		if _, err := b.w.Write(b.buf); err != nil {
			return written, err
		}
		written += len(part)
		p = p[len(part):]
	}
	return written, nil
}
