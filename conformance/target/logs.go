package target

// LogMax bounds what Logs.Since returns, in bytes.
const LogMax = 16 << 10

// A LogMark is a place in what a server writes. What it is made of is the target's own.
type LogMark int64

// Logs is the power of a target that has what its server writes, on stdout and stderr.
type Logs interface {
	// Mark is the end of what was written so far.
	Mark() LogMark
	// Since returns what was written after a mark: whole lines as far as can be, the last ones of them, and at most LogMax
	// bytes. A line ahead says how many bytes were left out. Where several checks are under way, it holds lines of all of
	// them. It is "" if nothing was written, or if the log cannot be read.
	Since(mark LogMark) string
}
