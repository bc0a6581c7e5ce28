package kernel

import (
	"strconv"
	"strings"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/utility"
)

// Call is a use of a utility by the process. Its outputs are not set. env is its environment,
// NAME=value.
func (p *Process) Call(args, env []string) *utility.Call {
	c := &utility.Call{
		Args: args, Cwd: p.Cwd, FS: p.box.FS, Now: p.Now(), Hostname: p.box.Hostname, IP: p.box.IP, UID: p.box.UID, GID: p.box.GID,
		Groups: p.box.Groups, Umask: p.Umask, Started: p.k.Start.Add(-time.Hour), GNU: p.box.GNU,
		Seed:       strconv.FormatUint(p.k.Rand, 36) + "-" + strconv.Itoa(p.ID),
		IsTerminal: p.IsTerminal, MaxOutput: 4 << 20,
	}
	if len(env) > 0 {
		c.Env = make(map[string]string, len(env))
		for _, e := range env {
			if name, value, ok := strings.Cut(e, "="); ok {
				c.Env[name] = value
			}
		}
	}
	return c
}
