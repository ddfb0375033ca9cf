package main

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/pflag"
)

// What a setting may be is checked where it is read, so that a flag and the environment get the same words.

// A number is an integer of a setting.
type number interface{ ~int | ~int64 }

// A count is a whole number within bounds.
type counted[T number] struct {
	at       *T
	min, max T
}

type count = counted[int]

// countMax bounds counts that have no bound of their own: more is a slip of the keyboard.
const countMax = 1_000_000_000

// rateMax bounds rates and bursts.
const rateMax = 1_000_000

func atLeast[T number](least T, at *T) counted[T] { return counted[T]{at, least, countMax} }

// Set implements pflag.Value.
func (c counted[T]) Set(text string) error {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil || n < int64(c.min) || n > int64(c.max) {
		return fmt.Errorf("want a whole number from %d to %d", c.min, c.max)
	}
	*c.at = T(n)
	return nil
}

// String implements pflag.Value.
func (c counted[T]) String() string {
	if c.at == nil {
		return ""
	}
	return strconv.FormatInt(int64(*c.at), 10)
}

// Type implements pflag.Value.
func (c counted[T]) Type() string { return "n" }

// A size is a number of bytes.
type size[T number] struct{ at *T }

// sizeMax bounds sizes: more than a machine has.
const sizeMax = 1 << 50

var units = []struct {
	name  string
	bytes int64
}{{"GiB", 1 << 30}, {"MiB", 1 << 20}, {"KiB", 1 << 10}}

// Set implements pflag.Value.
func (s size[T]) Set(text string) error {
	digits, unit := text, int64(1)
	for _, u := range units {
		if rest, ok := strings.CutSuffix(text, u.name); ok {
			digits, unit = strings.TrimSpace(rest), u.bytes
		}
	}
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n < 1 || n > sizeMax/unit || int64(T(n*unit)) != n*unit {
		return fmt.Errorf("want bytes such as 65536, 64KiB, 16MiB or 1GiB, from 1 to %s", shownSize(min(sizeMax, limit[T]())))
	}
	*s.at = T(n * unit)
	return nil
}

// limit is the greatest value of a type.
func limit[T number]() int64 {
	if int64(T(math.MaxInt32)+1) < 0 {
		return math.MaxInt32
	}
	return math.MaxInt64
}

// String implements pflag.Value.
func (s size[T]) String() string {
	if s.at == nil {
		return ""
	}
	return shownSize(int64(*s.at))
}

// Type implements pflag.Value.
func (s size[T]) Type() string { return "bytes" }

// sizeOrNone is a size of which 0 says that there is no limit.
type sizeOrNone struct{ size[int64] }

// Set implements pflag.Value.
func (s sizeOrNone) Set(text string) error {
	if text == "0" {
		*s.at = 0
		return nil
	}
	return s.size.Set(text)
}

func shownSize(n int64) string {
	for _, u := range units {
		if n >= u.bytes && n%u.bytes == 0 {
			return strconv.FormatInt(n/u.bytes, 10) + u.name
		}
	}
	return strconv.FormatInt(n, 10)
}

// A span is a time of at least a second and at most ten years.
type span struct{ at *time.Duration }

const spanMax = 10 * 365 * 24 * time.Hour

// Set implements pflag.Value.
func (s span) Set(text string) error {
	d, err := time.ParseDuration(text)
	if err != nil || d < time.Second || d > spanMax {
		return fmt.Errorf("want a time such as 90s, 30m or 24h, from 1s to %s", shownSpan(spanMax))
	}
	*s.at = d
	return nil
}

// String implements pflag.Value.
func (s span) String() string {
	if s.at == nil {
		return ""
	}
	return shownSpan(*s.at)
}

// Type implements pflag.Value.
func (s span) Type() string { return "time" }

// shownSpan leaves out what is zero: 30m, not 30m0s.
func shownSpan(d time.Duration) string {
	text := d.String()
	if strings.HasSuffix(text, "m0s") {
		text = strings.TrimSuffix(text, "0s")
	}
	if strings.HasSuffix(text, "h0m") {
		text = strings.TrimSuffix(text, "0m")
	}
	return text
}

// needless returns a setting that was given of those whose name begins with that of a switch, which is off; "" if there
// is none.
func needless(flags *pflag.FlagSet, name string) string {
	found := ""
	if on := flags.Lookup(name); on.Value.String() == "false" {
		flags.VisitAll(func(f *pflag.Flag) {
			if f.Changed && strings.HasPrefix(f.Name, name+"-") && found == "" {
				found = f.Name
			}
		})
	}
	return found
}
