package utility

import (
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

var findUtilities = map[string]Utility{"find": {stream: func() Stream { return &find{} }}}

// find walks through directories and acts on the files for which an expression is true.
//
// After a program of -exec has ended, the expression is evaluated again from its start: Results
// holds the results of earlier programs, and earlier output is not written again.
type find struct {
	Ready   bool       `json:"ready,omitempty"`
	Stack   []findAt   `json:"stack,omitempty"` // files still to visit, the next one last
	Current *findAt    `json:"current,omitempty"`
	Results []bool     `json:"results,omitempty"` // of the programs that ran for the current file
	Done    int        `json:"done,omitempty"`    // how many of the file's actions were done
	Batch   [][]string `json:"batch,omitempty"`   // the files for each -exec … +
	Flush   int        `json:"flush,omitempty"`   // the index of the one to run at the end
	Failed  bool       `json:"failed,omitempty"`

	root     *findNode
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

// findAt is a file to visit.
type findAt struct {
	Path  string `json:"path"`
	Depth int    `json:"depth"`
	After bool   `json:"after,omitempty"` // its content was visited
}

// findNode is a part of the expression.
type findNode struct {
	operator    byte // '&', '|', '!', ',', or 0 for a test or an action
	left, right *findNode
	test        func(c *Call, u *find, at findAt, i vfs.Info) bool
}

// Chunk implements Stream.
func (u *find) Chunk(c *Call, _ []byte, _ bool) (Next, int) {
	starts := u.parse(c)
	if !u.Ready {
		u.Ready = true
		for i := len(starts) - 1; i >= 0; i-- {
			u.Stack = append(u.Stack, findAt{Path: starts[i]})
		}
	} else if u.Current != nil {
		u.Results = append(u.Results, c.Status == 0)
	} else if u.Flush > 0 && c.Status != 0 {
		u.Failed = true
	}
	for range 1000 {
		if u.Current == nil {
			if len(u.Stack) == 0 {
				return u.flush(c)
			}
			next := u.Stack[len(u.Stack)-1]
			u.Stack = u.Stack[:len(u.Stack)-1]
			u.Current, u.Results, u.Done = &next, nil, 0
		}
		if !u.visit(c) {
			return Exec, 0
		}
		u.Current = nil
	}
	return Again, 0
}

// flush runs the batches of -exec … +.
func (u *find) flush(c *Call) (Next, int) {
	for u.Flush < len(u.Batch) {
		batch := u.Batch[u.Flush]
		u.Flush++
		if len(batch) > 0 && batch[0] != "" {
			c.Child = batch
			return Exec, 0
		}
	}
	return Done, exitIf(u.Failed)
}

// visit visits the current file; it returns false if a program must run first.
func (u *find) visit(c *Call) bool {
	at := *u.Current
	c.step(1)
	stat := c.FS.Lstat
	if u.follow {
		stat = c.FS.Stat
	}
	i, err := stat(c.abs(at.Path))
	if err != nil && u.follow {
		i, err = c.FS.Lstat(c.abs(at.Path))
	}
	if err != nil {
		u.Failed = true
		if c.GNU {
			c.complain("'%s': %s", at.Path, reason(err))
		} else {
			c.complain("%s: %s", at.Path, reason(err))
		}
		return true
	}
	descends := i.IsDir() && (u.maxDepth < 0 || at.Depth < u.maxDepth) && at.Depth < maxDepth
	if u.depth && descends && !at.After {
		at.After = true
		u.Stack = append(u.Stack, at)
		u.descend(c, at)
		return true
	}
	u.actions, u.asked, u.waits, u.pruned = 0, 0, false, false
	if at.Depth >= u.minDepth {
		u.evaluate(c, u.root, at, i)
		if u.waits {
			return false
		}
	}
	if descends && !u.depth && !u.pruned {
		u.descend(c, at)
	}
	return true
}

func (u *find) descend(c *Call, at findAt) {
	entries, err := c.FS.ReadDir(c.abs(at.Path))
	if err != nil {
		u.Failed = true
		c.complain("%s: %s", at.Path, reason(err))
	}
	if len(u.Stack)+len(entries) > 100_000 {
		c.fatal(1, "too many files")
	}
	for i := len(entries) - 1; i >= 0; i-- {
		u.Stack = append(u.Stack, findAt{Path: strings.TrimSuffix(at.Path, "/") + "/" + entries[i].Name, Depth: at.Depth + 1})
	}
}

// evaluate returns the value of the expression for a file. The value does not count once waits is
// set.
func (u *find) evaluate(c *Call, n *findNode, at findAt, i vfs.Info) bool {
	if u.waits {
		return false
	}
	switch n.operator {
	case '&':
		return u.evaluate(c, n.left, at, i) && u.evaluate(c, n.right, at, i)
	case '|':
		return u.evaluate(c, n.left, at, i) || u.evaluate(c, n.right, at, i)
	case '!':
		return !u.evaluate(c, n.left, at, i)
	case ',':
		u.evaluate(c, n.left, at, i)
		return u.evaluate(c, n.right, at, i)
	}
	return n.test(c, u, at, i)
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
func (u *find) ask(c *Call, argv []string) bool {
	u.asked++
	if u.asked <= len(u.Results) {
		return u.Results[u.asked-1]
	}
	u.waits, c.Child = true, argv
	return false
}
