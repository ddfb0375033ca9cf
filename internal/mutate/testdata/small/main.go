// Command small prints what its functions say, for tests of mutants.
package main

import "fmt"

type size int

const limit size = 3

func small(n size) bool { return n < limit }

func both(a, b bool) bool { return a && (b || !a) }

func sum(list []int) (total int) {
	for _, n := range list {
		if n < 0 {
			continue
		}
		total += n
	}
	return total
}

func word(name string) string {
	switch name {
	case "a", "b":
		return "letter"
	}
	return "none"
}

func less(a, b int) int { return a - b }

func turn(a, b int) int { return less(a, b) }

func main() {
	fmt.Println(small(2), small(3), both(true, false), both(false, true), sum([]int{1, -2, 4}), word("a"), word("b"), turn(5, 3))
}
