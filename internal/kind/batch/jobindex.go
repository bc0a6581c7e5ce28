package batch

import (
	"fmt"
	"strconv"
	"strings"
)

// span is a range of indexes, both ends included: "3" is {3, 3} and "3-5" is {3, 5}.
type span struct{ first, last int }

// countIndexes validates a list of indexes, "1,3-5,7", and counts them. They must be ascending and
// below completions. An empty list has none.
//
// Source: kubernetes v1.36 pkg/apis/batch/validation/validation.go, validateIndexesFormat
func countIndexes(list string, completions int32) (total int32, err error) {
	if list == "" {
		return 0, nil
	}
	last, begun := 0, false
	for text := range strings.SplitSeq(list, ",") {
		s, err := parseSpan(text, completions)
		if err != nil {
			return 0, err
		}
		if begun && last >= s.first {
			return 0, descending(last, s.first)
		}
		total += int32(s.last - s.first + 1)
		last, begun = s.last, true
	}
	return total, nil
}

// parseSpan parses "3" or "3-5".
//
// Source: kubernetes v1.36 pkg/apis/batch/validation/validation.go, parseIndexInterval
func parseSpan(text string, completions int32) (span, error) {
	limits := strings.SplitN(text, "-", 3)
	if len(limits) > 2 {
		return span{}, fmt.Errorf("the fragment %q violates the requirement that an index interval can have at most two parts separated by '-'", text)
	}
	first, err := parseIndex(limits[0], completions)
	if err != nil || len(limits) == 1 {
		return span{first, first}, err
	}
	last, err := parseIndex(limits[1], completions)
	if err == nil && first >= last {
		err = descending(first, last)
	}
	return span{first, last}, err
}

func parseIndex(text string, completions int32) (int, error) {
	n, err := strconv.Atoi(text)
	switch {
	case err != nil:
		return 0, fmt.Errorf("cannot convert string to integer for index: %q", text)
	case n >= int(completions):
		return 0, fmt.Errorf("too large index: %q", text)
	}
	return n, nil
}

func descending(previous, current int) error {
	return fmt.Errorf("non-increasing order, previous: %d, current: %d", previous, current)
}

// overlap returns the first index that both lists contain; ok is false if there is none. It ignores
// malformed ranges.
//
// Source: kubernetes v1.36 pkg/apis/batch/validation/validation.go, validateFailedIndexesNotOverlapCompleted
func overlap(completed, failed string, completions int32) (index int, ok bool) {
	a, b := spansOf(completed, completions), spansOf(failed, completions)
	for len(a) > 0 && len(b) > 0 {
		switch {
		case a[0].first <= b[0].last && b[0].first <= a[0].last:
			return max(a[0].first, b[0].first), true
		case a[0].first <= b[0].first:
			a = a[1:]
		default:
			b = b[1:]
		}
	}
	return 0, false
}

// spansOf returns the well-formed ranges of a list.
func spansOf(list string, completions int32) []span {
	var spans []span
	for text := range strings.SplitSeq(list, ",") {
		if s, err := parseSpan(text, completions); err == nil {
			spans = append(spans, s)
		}
	}
	return spans
}
