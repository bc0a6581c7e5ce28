package utility

// selects says whether a command is for this line.
func (u *sed) selects(i int, cmd *sedCommand) bool {
	if cmd.first == nil {
		return true
	}
	if cmd.second == nil {
		return u.matches(cmd.first)
	}
	r := &u.Ranges[i]
	if r.In {
		switch second := cmd.second; {
		case second.kind == '/':
			if u.matches(second) {
				r.In = false
			}
		case second.kind == '$':
			r.In = !u.isLast()
		case u.Number > r.Until: // it was over before: lines went by unseen
			r.In = false
			return u.begins(r, cmd)
		default:
			r.In = u.Number < r.Until
		}
		return true
	}
	return u.begins(r, cmd)
}

// begins says whether a range begins with this line.
func (u *sed) begins(r *sedRange, cmd *sedCommand) bool {
	zero := cmd.first.kind == 'n' && cmd.first.n == 0
	if zero && r.Until == 0 && u.Number == 1 {
		r.In = !u.matches(cmd.second)
		return true
	}
	if !u.matches(cmd.first) {
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

func (u *sed) matches(a *sedAddress) bool {
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
	re := a.re
	if re == nil {
		re = u.lastRE
	}
	u.lastRE = re
	return re != nil && re.Match(u.Space)
}
