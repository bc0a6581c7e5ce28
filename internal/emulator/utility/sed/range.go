package sed

import "github.com/rowlock/rowlock/internal/emulator/utility"

// selects reports whether a command applies to this line.
func (u *sed) selects(c *utility.Call, i int, cmd *command) bool {
	if cmd.first == nil {
		return true
	}
	if cmd.second == nil {
		return u.matches(c, cmd.first)
	}
	r := &u.Ranges[i]
	if r.In {
		switch second := cmd.second; {
		case second.kind == '/':
			if u.matches(c, second) {
				r.In = false
			}
		case second.kind == '$':
			r.In = !u.isLast()
		case u.Number > r.Until: // it ended among lines that the command did not see
			r.In = false
			return u.begins(c, r, cmd)
		default:
			r.In = u.Number < r.Until
		}
		return true
	}
	return u.begins(c, r, cmd)
}

// begins reports whether a range begins with this line.
func (u *sed) begins(c *utility.Call, r *rangeState, cmd *command) bool {
	zero := cmd.first.kind == 'n' && cmd.first.n == 0
	if zero && r.Until == 0 && u.Number == 1 {
		r.In = !u.matches(c, cmd.second)
		return true
	}
	if !u.matches(c, cmd.first) {
		return false
	}
	switch second := cmd.second; second.kind {
	case '/':
		r.In = true
	case '$':
		r.In = !u.isLast()
	case 'n':
		r.Until = second.n
		r.In = u.Number < second.n
	case '+':
		r.Until = u.Number + second.n
		r.In = second.n > 0
	case '~':
		r.Until = u.Number
		if second.n > 0 {
			r.Until = (u.Number + second.n - 1) / second.n * second.n
		}
		r.In = u.Number < r.Until
	}
	return true
}

func (u *sed) matches(c *utility.Call, a *address) bool {
	switch a.kind {
	case 'n':
		return u.Number == a.n
	case '~':
		if a.step <= 0 {
			return u.Number == a.n
		}
		return u.Number >= a.n && (u.Number-a.n)%a.step == 0
	case '$':
		return u.isLast()
	}
	re := u.pattern(a.re)
	if re == nil {
		return false
	}
	c.Pass(len(u.Space))
	return re.Matches(c.Step, string(u.Space))
}

// pattern returns the pattern that a command names, which becomes the last one used; if it names
// none, the last one used.
func (u *sed) pattern(re *expression) *expression {
	if re != nil {
		u.LastRE = re.number
	}
	if u.LastRE < 1 || u.LastRE > len(u.script.regexes) {
		return nil
	}
	return u.script.regexes[u.LastRE-1]
}
