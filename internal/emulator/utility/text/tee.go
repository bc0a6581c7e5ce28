package text

import (
	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

// tee writes its input to standard output and to files.
type tee struct {
	Ready  bool               `json:"ready,omitempty"`
	Files  []*utility.OutFile `json:"files,omitempty"`
	Failed bool               `json:"failed,omitempty"`
}

// Chunk implements Stream.
func (u *tee) Chunk(c *utility.Call, in []byte, eof bool) (utility.Next, int) {
	if !u.Ready {
		// -i has no effect: there are no interrupts.
		o := c.Parse(utility.Syntax{Short: "ai", Long: map[string]byte{"append": 'a', "ignore-interrupts": 'i'}})
		u.Ready = true
		for _, file := range o.Rest {
			f, err := c.Create(file, o.Has('a'))
			if err != nil {
				c.Complain("%s: %s", file, vfs.Reason(err))
				u.Failed = true
				continue
			}
			u.Files = append(u.Files, f)
		}
		return utility.Input, 0
	}
	for _, f := range u.Files {
		if err := f.Write(c, in); err != nil && !f.Broken {
			f.Broken, u.Failed = true, true
			c.Complain("%s: %s", f.Name, vfs.Reason(err))
		}
	}
	c.Put(c.Stdout, in)
	if !eof {
		return utility.Input, 0
	}
	for _, f := range u.Files {
		f.Close(c)
	}
	return utility.Done, utility.ExitIf(u.Failed)
}
