package shell

import "strings"

// trace prints a command under set -x.
func (s *Shell) trace() {
	if !s.Opts.Xtrace || len(s.Fields) == 0 {
		return
	}
	var words []string
	for _, a := range s.Prefix {
		words = append(words, a.Name+"="+s.traced(string(a.Value)))
	}
	for _, f := range s.Fields {
		words = append(words, s.traced(f))
	}
	_ = s.write(2, []byte(s.get("PS4")+strings.Join(words, " ")+"\n"))
}

func (s *Shell) traced(v string) string {
	if s.Dialect == dash {
		return v
	}
	return quoteIfNeeded(v)
}

func quoteIfNeeded(v string) string {
	if v == "" {
		return "''"
	}
	for i := range len(v) {
		if !isAlnum(v[i]) && strings.IndexByte("_-./:=,+@%^", v[i]) < 0 {
			return quote(v)
		}
	}
	return v
}
