package history

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/rowlock/rowlock/internal/object"
)

// Hold is a period in which a client knew that it had a lock: from the answer to acquiring it, which
// it had Asked for before, until it asked to release it.
type Hold struct {
	Client          int
	Lock            object.Key
	Asked, From, To time.Duration
}

// Locks checks that no two clients had a lock at the same time.
func Locks(holds []Hold) []Violation {
	holds = slices.SortedFunc(slices.Values(holds), func(a, b Hold) int {
		return cmp.Or(cmp.Compare(a.Lock.String(), b.Lock.String()), cmp.Compare(a.From, b.From))
	})
	var found []Violation
	for i := 1; i < len(holds); i++ {
		last, h := holds[i-1], holds[i]
		if h.Lock == last.Lock && h.From < last.To {
			found = append(found, Violation{
				Key: h.Lock,
				Message: fmt.Sprintf("client %d has it from %v on, and client %d until %v",
					h.Client, h.From, last.Client, last.To),
			})
		}
		if h.Lock == last.Lock && h.To < last.To {
			holds[i].To = last.To
		}
	}
	return found
}
