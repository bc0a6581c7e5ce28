package shell

import (
	"strings"
	"unicode/utf8"

	"github.com/rowlock/rowlock/internal/emulator/kernel"
	"github.com/rowlock/rowlock/internal/emulator/shell/code"
	"github.com/rowlock/rowlock/internal/emulator/vfs"
)

func (s *Shell) builder() *word {
	if len(s.Words) == 0 {
		s.Words = append(s.Words, word{})
	}
	return &s.Words[len(s.Words)-1]
}

// addText adds text to the unfinished word; if it is not quoted, it is split.
func (s *Shell) addText(text string, quoted bool) {
	w := s.builder()
	w.Parts = append(w.Parts, part{Text: kernel.Text(text), Quote: quoted, Split: !quoted})
	s.extra += len(text) / 256
}

func (s *Shell) popWord() word {
	if len(s.Words) == 0 {
		return word{}
	}
	w := s.Words[len(s.Words)-1]
	s.Words = s.Words[:len(s.Words)-1]
	return w
}

func (s *Shell) pushValue(v string) { s.Values = append(s.Values, v) }

func (s *Shell) popValue() string {
	if len(s.Values) == 0 {
		return ""
	}
	v := s.Values[len(s.Values)-1]
	s.Values = s.Values[:len(s.Values)-1]
	return v
}

// joined returns the word as one string.
func (s *Shell) joined(w word, how int) string {
	if len(w.Parts) == 1 && (how == code.AsText || !w.Parts[0].Quote && how == code.AsPattern) {
		return string(w.Parts[0].Text)
	}
	var b strings.Builder
	for _, p := range w.Parts {
		s.spend(2 + len(p.Text)/2)
		switch {
		case p.Break:
			b.WriteByte(' ')
		case how == code.AsPattern && p.Quote:
			quotePattern(&b, string(p.Text))
		case how == code.AsRegexp && p.Quote:
			quoteRegexp(&b, string(p.Text))
		default:
			b.WriteString(string(p.Text))
		}
	}
	return b.String()
}

func quotePattern(b *strings.Builder, text string) {
	for i := range len(text) {
		if strings.IndexByte(`*?[]\()|@+!`, text[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(text[i])
	}
}

// field is an unfinished field: its text, and a pattern if it has a pattern character.
type field struct {
	text, pattern strings.Builder
	has, meta     bool
}

func (f *field) add(text string, quoted bool) {
	f.text.WriteString(text)
	switch {
	case quoted:
		f.has = true
		quotePattern(&f.pattern, text)
	case text != "":
		f.has = true
		f.pattern.WriteString(text)
		f.meta = f.meta || strings.ContainsAny(text, "*?[")
	}
}

// finish splits a word, expands file patterns in it, and adds the fields.
func (s *Shell) finish(w word) {
	if len(w.Parts) == 1 && !w.Parts[0].Split && !w.Parts[0].Break && (w.Parts[0].Quote || w.Parts[0].Text != "" && !isPattern(string(w.Parts[0].Text))) {
		s.Fields = append(s.Fields, string(w.Parts[0].Text))
		return
	}
	ifs, set := s.lookup("IFS")
	if !set {
		ifs = " \t\n"
	}
	f := &field{}
	next := func() {
		if f.has {
			s.globbed(f)
		}
		f = &field{}
	}
	for _, p := range w.Parts {
		s.spend(4 + len(p.Text)/2)
		switch {
		case p.Break:
			next()
		case !p.Split || ifs == "":
			f.add(string(p.Text), p.Quote)
		default:
			f = s.split(f, string(p.Text), ifs, next, func() *field { return f })
		}
	}
	next()
}

// split adds text that is split at the characters of ifs: white space around fields is removed, and
// each other character ends a field.
func (s *Shell) split(f *field, text, ifs string, next func(), now func() *field) *field {
	isSpace := func(c byte) bool { return (c == ' ' || c == '\t' || c == '\n') && strings.IndexByte(ifs, c) >= 0 }
	s.spend(len(text))
	for i := 0; i < len(text); {
		c := text[i]
		if strings.IndexByte(ifs, c) < 0 {
			end := i
			for end < len(text) && strings.IndexByte(ifs, text[end]) < 0 {
				end++
			}
			now().add(text[i:end], false)
			i = end
			continue
		}
		for i < len(text) && isSpace(text[i]) {
			i++
		}
		if i < len(text) && strings.IndexByte(ifs, text[i]) >= 0 {
			now().has = true
			for i++; i < len(text) && isSpace(text[i]); {
				i++
			}
		}
		next()
	}
	return now()
}

// globbed adds a field or, if it is a pattern, the files that match.
func (s *Shell) globbed(f *field) {
	if f.meta && !s.Opts.Noglob && isPattern(f.text.String()) {
		if names := s.glob(f.pattern.String()); len(names) > 0 || s.Opts.Nullglob {
			s.Fields = append(s.Fields, names...)
			return
		}
	}
	s.Fields = append(s.Fields, f.text.String())
}

// isPattern reports whether text may be a pattern: a single bracket, as in the command [, is not
// one.
func isPattern(text string) bool {
	return strings.ContainsAny(text, "*?") || strings.Contains(text, "[") && strings.Contains(text, "]")
}

// maxFields bounds the fields of a command.
const maxFields = 65_536

// glob returns the files that match a pattern, sorted.
func (s *Shell) glob(pattern string) []string {
	fs := s.p.FS().Metered(s.limit)
	found := []string{""}
	rest := pattern
	if strings.HasPrefix(rest, "/") {
		found = []string{"/"}
		rest = strings.TrimLeft(rest, "/")
	}
	for rest != "" && len(found) > 0 {
		element, tail, more := strings.Cut(rest, "/")
		var next []string
		for _, dir := range found {
			if !hasMeta(element) {
				name := dir + unquotePattern(element)
				if more || fs.Kind(s.p.Path(name), false) != 0 {
					next = append(next, name+map[bool]string{true: "/"}[more])
				}
				continue
			}
			at := dir
			if at == "" {
				at = "."
			}
			entries, err := fs.ReadDir(s.p.Path(at))
			if err != nil {
				continue
			}
			for _, e := range entries {
				if strings.HasPrefix(e.Name, ".") && !strings.HasPrefix(element, ".") && !strings.HasPrefix(element, `\.`) {
					continue
				}
				if !s.match(element, e.Name) {
					continue
				}
				name := dir + e.Name
				if more {
					if fs.Kind(s.p.Path(name), true) != vfs.ModeDir {
						continue
					}
					name += "/"
				}
				next = append(next, name)
			}
			if len(next) > maxFields {
				return nil
			}
		}
		found, rest = next, strings.TrimLeft(tail, "/")
	}
	var names []string
	for _, name := range found {
		if fs.Kind(s.p.Path(name), false) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// addList adds the elements of "$@" or "${a[@]}" to the word: each is a field. With star and in
// quotes they are one field, joined.
func (s *Shell) addList(all []string, quoted, star bool) {
	if quoted && star {
		s.addText(strings.Join(all, s.joiner()), true)
		return
	}
	w := s.builder()
	for i, e := range all {
		if i > 0 {
			w.Parts = append(w.Parts, part{Break: true})
		}
		w.Parts = append(w.Parts, part{Text: kernel.Text(e), Quote: quoted, Split: !quoted})
		s.extra += len(e) / 256
	}
}

// runes returns the number of characters in a string; a byte outside of any character counts as
// one.
func runes(s string) int { return utf8.RuneCountInString(s) }
