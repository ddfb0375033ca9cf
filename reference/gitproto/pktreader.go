package gitproto

import (
	"bytes"
	"errors"
	"io"
)

// Sizes of a pkt-line in bytes (gitprotocol-common).
const (
	PacketMax = 65520         // a whole packet, its four length digits included
	DataMax   = PacketMax - 4 // the payload of a packet
)

// A PacketKind tells data from the special packets.
type PacketKind uint8

// The kinds of packets: 0000, 0001 and 0002 are the special ones.
const (
	DataPacket PacketKind = iota
	FlushPacket
	DelimPacket
	ResponseEndPacket
)

// A Packet is one pkt-line. Data is the payload of a DataPacket and is valid until the next call of Next.
type Packet struct {
	Kind PacketKind
	Data []byte
}

// Text returns the payload without its final line feed, if it has one.
func (p Packet) Text() []byte { return bytes.TrimSuffix(p.Data, []byte("\n")) }

// A Reader reads pkt-lines. It never reads a byte beyond the packet it returns, so that a pack may follow.
type Reader struct {
	r     io.Reader
	limit int64
	left  int64
	head  [4]byte
	data  []byte
}

// NewReader returns a Reader that reads at most limit bytes from r.
func NewReader(r io.Reader, limit int64) *Reader { return &Reader{r: r, limit: limit, left: limit} }

// Next reads one packet. It returns io.EOF if the input ends between two packets, a *ProtocolError for a bad length,
// a packet that is cut off or input beyond the limit, and the error of the underlying reader as it is.
func (r *Reader) Next() (Packet, error) {
	if r.left < 4 {
		return Packet{}, protocolErrorf("the request is longer than %d bytes", r.limit)
	}
	if n, err := io.ReadFull(r.r, r.head[:]); err != nil {
		if n > 0 && errors.Is(err, io.ErrUnexpectedEOF) {
			return Packet{}, protocolErrorf("the request ends within a packet length")
		}
		return Packet{}, err
	}
	r.left -= 4
	length, ok := packetLength(r.head)
	switch {
	case !ok, length == 3, length > PacketMax:
		return Packet{}, protocolErrorf("bad packet length %s", quote(r.head[:]))
	case length < 3:
		return Packet{Kind: FlushPacket + PacketKind(length)}, nil
	}
	size := length - 4
	if int64(size) > r.left {
		return Packet{}, protocolErrorf("the request is longer than %d bytes", r.limit)
	}
	r.left -= int64(size)
	if cap(r.data) < size {
		r.data = make([]byte, size, max(size, 256))
	}
	r.data = r.data[:size]
	if _, err := io.ReadFull(r.r, r.data); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
			return Packet{}, protocolErrorf("the request ends within a packet")
		}
		return Packet{}, err
	}
	return Packet{Kind: DataPacket, Data: r.data}, nil
}

func packetLength(head [4]byte) (int, bool) {
	n := 0
	for _, c := range head {
		switch {
		case '0' <= c && c <= '9':
			n = n<<4 | int(c-'0')
		case 'a' <= c && c <= 'f':
			n = n<<4 | int(c-'a'+10)
		case 'A' <= c && c <= 'F':
			n = n<<4 | int(c-'A'+10)
		default:
			return 0, false
		}
	}
	return n, true
}
