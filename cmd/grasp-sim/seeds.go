package main

import (
	"errors"
	"fmt"
	"iter"
	"strconv"
	"strings"
)

// A seedRange is a range of seeds, the last one included. It is a flag; the zero value is the seed 0 alone.
type seedRange struct{ first, last uint64 }

// Set implements pflag.Value.
func (s *seedRange) Set(text string) error {
	from, to, isRange := strings.Cut(text, "-")
	if !isRange {
		to = from
	}
	first, err := strconv.ParseUint(from, 10, 64)
	last, err2 := strconv.ParseUint(to, 10, 64)
	if err != nil || err2 != nil {
		return errors.New("want seeds such as 1-1000, or 7 alone")
	}
	if last < first {
		return fmt.Errorf("it ends before it begins, write %d-%d", last, first)
	}
	*s = seedRange{first, last}
	return nil
}

// String implements pflag.Value.
func (s *seedRange) String() string {
	if *s == (seedRange{}) {
		return ""
	}
	return fmt.Sprintf("%d-%d", s.first, s.last)
}

// Type implements pflag.Value.
func (s *seedRange) Type() string { return "FIRST-LAST" }

// all are the seeds in order.
func (s *seedRange) all() iter.Seq[uint64] {
	return func(yield func(uint64) bool) {
		for seed := s.first; yield(seed) && seed < s.last; seed++ { // the last may be the greatest number there is
		}
	}
}
