// Package find has the utility find: it parses an expression of tests and actions, and evaluates it
// for each file below the starting points.
package find

import (
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// Utilities are the utilities of this package, by name.
var Utilities = map[string]utility.Utility{
	"find": {New: func() utility.Stream { return &find{} }},
}

// Chunk implements Stream.
func (u *find) Chunk(c *utility.Call, _ []byte, _ bool) (utility.Next, int) {
	starts := u.parse(c)
	if !u.Ready {
		u.Ready = true
		for i := len(starts) - 1; i >= 0; i-- {
			u.Stack = append(u.Stack, entry{Path: starts[i]})
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
			return utility.Exec, 0
		}
		u.Current = nil
	}
	return utility.Again, 0
}

// flush runs the batches of -exec … +.
func (u *find) flush(c *utility.Call) (utility.Next, int) {
	for u.Flush < len(u.Batch) {
		batch := u.Batch[u.Flush]
		u.Flush++
		if len(batch) > 0 && batch[0] != "" {
			c.Child = batch
			return utility.Exec, 0
		}
	}
	return utility.Done, utility.ExitIf(u.Failed)
}

// visit visits the current file; it returns false if a program must run first.
func (u *find) visit(c *utility.Call) bool {
	at := *u.Current
	c.Step(1)
	stat := c.FS.Lstat
	if u.follow {
		stat = c.FS.Stat
	}
	i, err := stat(c.Abs(at.Path))
	if err != nil && u.follow {
		i, err = c.FS.Lstat(c.Abs(at.Path))
	}
	if err != nil {
		u.Failed = true
		if c.GNU {
			c.Complain("'%s': %s", at.Path, vfs.Reason(err))
		} else {
			c.Complain("%s: %s", at.Path, vfs.Reason(err))
		}
		return true
	}
	descends := i.IsDir() && (u.maxDepth < 0 || at.Depth < u.maxDepth) && at.Depth < utility.MaxDepth
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

func (u *find) descend(c *utility.Call, at entry) {
	entries, err := c.FS.ReadDir(c.Abs(at.Path))
	if err != nil {
		u.Failed = true
		c.Complain("%s: %s", at.Path, vfs.Reason(err))
	}
	if len(u.Stack)+len(entries) > 100_000 {
		c.Fatal(1, "too many files")
	}
	for i := len(entries) - 1; i >= 0; i-- {
		u.Stack = append(u.Stack, entry{Path: strings.TrimSuffix(at.Path, "/") + "/" + entries[i].Name, Depth: at.Depth + 1})
	}
}

// evaluate returns the value of the expression for a file. The value does not count once waits is
// set.
func (u *find) evaluate(c *utility.Call, n *node, at entry, i vfs.Info) bool {
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
