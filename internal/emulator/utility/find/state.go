package find

import (
	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// find walks through directories and acts on the files for which an expression is true.
//
// After a program of -exec has ended, the expression is evaluated again from its start: Results
// holds the results of earlier programs, and earlier output is not written again.
type find struct {
	Ready   bool       `json:"ready,omitempty"`
	Stack   []entry    `json:"stack,omitempty"` // files still to visit, the next one last
	Current *entry     `json:"current,omitempty"`
	Results []bool     `json:"results,omitempty"` // of the programs that ran for the current file
	Done    int        `json:"done,omitempty"`    // how many of the file's actions were done
	Batch   [][]string `json:"batch,omitempty"`   // the files for each -exec … +
	Flush   int        `json:"flush,omitempty"`   // the index of the one to run at the end
	Failed  bool       `json:"failed,omitempty"`

	root     *node
	maxDepth int
	minDepth int
	depth    bool // the content of a directory comes before the directory
	follow   bool

	// The current evaluation.
	actions int
	asked   int
	waits   bool
	pruned  bool
}

// entry is a file to visit.
type entry struct {
	Path  string `json:"path"`
	Depth int    `json:"depth"`
	After bool   `json:"after,omitempty"` // its content was visited
}

// node is a part of the expression.
type node struct {
	operator    byte // '&', '|', '!', ',', or 0 for a test or an action
	left, right *node
	test        func(c *utility.Call, u *find, at entry, i vfs.Info) bool
}

// act does something once, even if the expression is evaluated again.
func (u *find) act(do func() bool) bool {
	u.actions++
	if u.actions <= u.Done {
		return true
	}
	u.Done = u.actions
	return do()
}

// ask makes a program decide.
func (u *find) ask(c *utility.Call, argv []string) bool {
	u.asked++
	if u.asked <= len(u.Results) {
		return u.Results[u.asked-1]
	}
	u.waits, c.Child = true, argv
	return false
}
