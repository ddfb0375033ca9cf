package defect

import (
	"strconv"
	"strings"

	"github.com/graspkit/graspkit/reference/relay"
)

// numberDefects are mistakes of databases that keep dates as something else than whole numbers of 64 bits.
func numberDefects() []Defect {
	return []Defect{
		{Name: "since-compared-as-texts", Filter: queried(func(f relay.Filter) relay.Filter { f.Since = changed(f.Since, asText); return f })},
		{Name: "until-compared-as-texts", Filter: queried(func(f relay.Filter) relay.Filter { f.Until = changed(f.Until, asText); return f })},
		{Name: "until-in-32-bits", Filter: queried(func(f relay.Filter) relay.Filter {
			f.Until = changed(f.Until, func(n int64) int64 { return int64(uint32(n)) }) //nolint:gosec // the overflow is the mistake
			return f
		})},
	}
}

func changed(bound *int64, by func(int64) int64) *int64 {
	if bound == nil {
		return nil
	}
	n := by(*bound)
	return &n
}

// asText is the date of ten digits, as all of ours are, that stands where the text of a number stands among texts.
func asText(n int64) int64 {
	const digits = 10
	text := strconv.FormatInt(n, 10)
	text += strings.Repeat("0", max(0, digits-len(text)))
	at, err := strconv.ParseInt(text[:digits], 10, 64)
	if err != nil {
		panic("defect: invariant: digits are no number: " + err.Error())
	}
	return at
}
