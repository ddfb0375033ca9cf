package defect

import "github.com/graspkit/graspkit/reference/relay"

// longListDefects are mistakes by which what stands late in the lists of a filter does not count.
func longListDefects() []Defect {
	ids := func(most int) func() Filter {
		return queried(func(f relay.Filter) relay.Filter {
			f.IDs = f.IDs[:min(most, len(f.IDs))]
			return f
		})
	}
	authors := func(most int) func() Filter {
		return queried(func(f relay.Filter) relay.Filter {
			f.Authors = f.Authors[:min(most, len(f.Authors))]
			return f
		})
	}
	values := func(most int) func() Filter {
		return queried(eachTagFilter(func(f relay.TagFilter) relay.TagFilter {
			f.Values = f.Values[:min(most, len(f.Values))]
			return f
		}))
	}
	named := func(letter byte, most int) func() Filter {
		return queried(eachTagFilter(func(f relay.TagFilter) relay.TagFilter {
			if f.Letter == letter {
				f.Values = f.Values[:min(most, len(f.Values))]
			}
			return f
		}))
	}
	const many, more = 500, 900
	return []Defect{
		{Name: "a-hundred-ids-at-most", Filter: ids(hundred)},
		{Name: "a-hundred-authors-at-most", Filter: authors(hundred)},
		{Name: "a-hundred-tag-values-at-most", Filter: values(hundred)},
		{Name: "a-hundred-addresses-at-most", Filter: named('a', hundred)},
		{Name: "a-hundred-roots-at-most", Filter: named('E', hundred)},
		{Name: "five-hundred-parents-at-most", Filter: named('e', many)},
		{Name: "five-hundred-keys-that-are-named-at-most", Filter: named('p', many)},
		{Name: "five-hundred-ids-at-most", Filter: ids(many)},
		{Name: "five-hundred-authors-at-most", Filter: authors(many)},
		{Name: "nine-hundred-tag-values-at-most", Filter: values(more)},
		{Name: "nine-hundred-kinds-at-most", Filter: queried(func(f relay.Filter) relay.Filter {
			f.Kinds = f.Kinds[:min(more, len(f.Kinds))]
			return f
		})},
	}
}
