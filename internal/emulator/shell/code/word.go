package code

import (
	"strings"
	"unicode/utf8"

	"mvdan.cc/sh/v3/syntax"
)

// wordContext is the context of a part of a word.
type wordContext struct {
	quoted bool // in double quotes
	here   bool // in a here-document
	split  bool // in an expansion whose result is split
	assign bool // the value of an assignment, in which a tilde also counts after a colon
	strip  bool // in a here-document whose leading tabs are removed
	arith  bool // in an expression
}

// The kinds of text of an OpLit.
const (
	LitPlain  = iota // not quoted
	LitQuoted        // quoted
	LitSplit         // not quoted, and split
)

// words compiles words to fields.
func (c *compiler) words(list []*syntax.Word) {
	for _, w := range list {
		if c.dialect == Bash && syntax.SplitBraces(w) {
			n := 0
			for _, parts := range c.braces(w.Parts) {
				if n++; n > 10_000 {
					c.foreign("a brace expansion to more than 10,000 words")
					return
				}
				c.word(&syntax.Word{Parts: parts}, false)
				c.emit(Instr{Op: OpField})
			}
			continue
		}
		c.word(w, false)
		c.emit(Instr{Op: OpField})
	}
}

// word compiles a word to a builder that holds its parts.
func (c *compiler) word(w *syntax.Word, assign bool) {
	c.emit(Instr{Op: OpWord})
	if w != nil {
		c.parts(w.Parts, wordContext{assign: assign})
	}
}

func (c *compiler) parts(parts []syntax.WordPart, ctx wordContext) {
	for i, part := range parts {
		switch x := part.(type) {
		case *syntax.Lit:
			c.lit(x.Value, ctx, i == 0)
		case *syntax.SglQuoted:
			text := x.Value
			switch {
			case x.Dollar:
				text = ansiC(text)
			case ctx.quoted && !ctx.arith: // in "${x:-'y'}" single quotes are ordinary characters
				text = "'" + text + "'"
			}
			c.emit(Instr{Op: OpLit, Text: text, A: LitQuoted})
		case *syntax.DblQuoted:
			if len(x.Parts) == 0 {
				c.emit(Instr{Op: OpLit, A: LitQuoted})
			}
			c.parts(x.Parts, wordContext{quoted: true})
		case *syntax.ParamExp:
			c.param(x, ctx)
		case *syntax.CmdSubst:
			if x.TempFile || x.ReplyVar {
				c.foreign("${ command; }")
				return
			}
			at := c.emit(Instr{Op: OpSub, B: quotes(ctx)})
			c.tails(x.Stmts)
			c.emit(Instr{Op: OpLeave})
			c.here(at)
		case *syntax.ArithmExp:
			c.arithText(x.X)
			c.emit(Instr{Op: OpArith, A: quotes(ctx)})
		case *syntax.ExtGlob:
			c.emit(Instr{Op: OpLit, Text: x.Op.String() + x.Pattern.Value + ")"})
		case *syntax.ProcSubst:
			c.foreign("process substitution")
		default:
			c.foreign("this expansion")
		}
	}
}

func quotes(ctx wordContext) int {
	if ctx.quoted {
		return 1
	}
	return 0
}

// lit compiles literal text with its backslashes.
func (c *compiler) lit(text string, ctx wordContext, first bool) {
	if ctx.strip {
		text = stripTabs(text, first)
	}
	kind := LitPlain
	switch {
	case ctx.quoted:
		escaped := "$`\"\\\n"
		if ctx.here {
			escaped = "$`\\\n"
		}
		c.emit(Instr{Op: OpLit, Text: unescape(text, escaped), A: LitQuoted})
		return
	case ctx.split:
		kind = LitSplit
	}
	if first && !ctx.split && strings.HasPrefix(text, "~") || ctx.assign && strings.Contains(text, ":~") {
		text = c.tildes(text, first, ctx.assign)
	}
	for text != "" {
		i := strings.IndexByte(text, '\\')
		if i < 0 || i == len(text)-1 {
			c.emit(Instr{Op: OpLit, Text: text, A: kind})
			return
		}
		if i > 0 {
			c.emit(Instr{Op: OpLit, Text: text[:i], A: kind})
		}
		_, n := utf8.DecodeRuneInString(text[i+1:])
		if text[i+1] != '\n' {
			c.emit(Instr{Op: OpLit, Text: text[i+1 : i+1+n], A: LitQuoted})
		}
		text = text[i+1+n:]
	}
}

// tildes compiles the tildes of a literal that stand for the home directory, and returns the text
// after the last one.
func (c *compiler) tildes(text string, first, assign bool) string {
	for i := 0; i < len(text); i++ {
		if text[i] != '~' || !(i == 0 && first || assign && i > 0 && text[i-1] == ':') {
			continue
		}
		rest := text[i+1:]
		if rest != "" && rest[0] != '/' && !(assign && rest[0] == ':') {
			continue
		}
		if i > 0 {
			c.emit(Instr{Op: OpLit, Text: text[:i]})
		}
		c.emit(Instr{Op: OpParam, A: 1, Param: &Param{Name: "HOME"}})
		text, i = rest, -1
		first = false
	}
	return text
}

// hereDoc compiles the text of a here-document to a value.
func (c *compiler) hereDoc(r *syntax.Redirect) {
	quoted := false
	for _, p := range r.Word.Parts {
		lit, ok := p.(*syntax.Lit)
		quoted = quoted || !ok || strings.Contains(lit.Value, `\`)
	}
	c.emit(Instr{Op: OpWord})
	strip := r.Op == syntax.DashHdoc
	switch {
	case r.Hdoc == nil:
	case quoted:
		for i, p := range r.Hdoc.Parts {
			if lit, ok := p.(*syntax.Lit); ok {
				text := lit.Value
				if strip {
					text = stripTabs(text, i == 0)
				}
				c.emit(Instr{Op: OpLit, Text: text, A: LitQuoted})
			}
		}
	default:
		c.parts(r.Hdoc.Parts, wordContext{quoted: true, here: true, strip: strip})
	}
	c.emit(Instr{Op: OpString})
}

// Param compiles a parameter expansion.
func (c *compiler) param(x *syntax.ParamExp, ctx wordContext) {
	if x.Param == nil || x.Width || x.IsSet || x.Flags != nil || len(x.Modifiers) > 0 || x.NestedParam != nil {
		c.foreign("this parameter expansion")
		return
	}
	p := &Param{Name: x.Param.Value, Excl: x.Excl, Length: x.Length, Names: x.Names != 0}
	if c.dialect != Bash && (x.Index != nil || x.Excl) {
		c.emit(Instr{Op: OpSyntax, Text: "syntax error: bad substitution"})
		return
	}
	if x.Index != nil {
		switch w, _ := x.Index.(*syntax.Word); {
		case w != nil && w.Lit() == "@":
			p.Index = AtIndex
		case w != nil && w.Lit() == "*":
			p.Index = StarIndex
		default:
			p.Index = ExprIndex
			c.arithText(x.Index)
			c.emit(Instr{Op: OpString})
		}
	}
	q := quotes(ctx)
	switch {
	case x.Slice != nil:
		p.Slice = true
		c.arithText(x.Slice.Offset)
		c.emit(Instr{Op: OpString})
		if x.Slice.Length != nil {
			p.SliceLen = true
			c.arithText(x.Slice.Length)
			c.emit(Instr{Op: OpString})
		}
	case x.Repl != nil:
		p.Replace, p.All = true, x.Repl.All
		c.replace(p, x.Repl)
	case x.Exp != nil:
		p.Op, p.HasOp = x.Exp.Op, true
		if x.Exp.Op <= syntax.AssignUnsetOrNull {
			c.paramTest(p, x.Exp, ctx)
			return
		}
		c.word(x.Exp.Word, false)
		c.emit(Instr{Op: OpString, A: AsPattern})
	}
	c.emit(Instr{Op: OpParam, Param: p, A: q})
}

func (c *compiler) replace(p *Param, r *syntax.Replace) {
	var orig []syntax.WordPart
	if r.Orig != nil {
		orig = r.Orig.Parts
	}
	if len(orig) > 0 && !r.All {
		if lit, ok := orig[0].(*syntax.Lit); ok && lit.Value != "" && (lit.Value[0] == '#' || lit.Value[0] == '%') {
			p.Anchor = lit.Value[0]
			rest := *lit
			rest.Value = rest.Value[1:]
			orig = append([]syntax.WordPart{&rest}, orig[1:]...)
		}
	}
	c.word(&syntax.Word{Parts: orig}, false)
	c.emit(Instr{Op: OpString, A: AsPattern})
	c.word(r.With, false)
	c.emit(Instr{Op: OpString})
}

// paramTest compiles the expansions with a word for parameters that are set, or that are not set.
func (c *compiler) paramTest(p *Param, exp *syntax.Expansion, ctx wordContext) {
	q := quotes(ctx)
	at := c.emit(Instr{Op: OpTest1, Param: p, B: q})
	switch exp.Op {
	case syntax.AssignUnset, syntax.AssignUnsetOrNull, syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		c.emit(Instr{Op: OpWord})
		if exp.Word != nil {
			c.parts(exp.Word.Parts, wordContext{quoted: ctx.quoted, here: ctx.here})
		}
		c.emit(Instr{Op: OpString})
		c.emit(Instr{Op: OpTest2, Param: p, B: q})
	default:
		if exp.Word != nil {
			c.parts(exp.Word.Parts, wordContext{quoted: ctx.quoted, here: ctx.here, split: !ctx.quoted && !ctx.assign})
		} else if ctx.quoted {
			c.emit(Instr{Op: OpLit, A: LitQuoted})
		}
	}
	c.here(at)
}

// arithText compiles an expression to a builder that holds its expanded text: the value of an
// expanded variable may be a part of an expression.
func (c *compiler) arithText(x syntax.ArithmExpr) {
	c.emit(Instr{Op: OpWord})
	c.arithParts(x)
}

func (c *compiler) arithParts(x syntax.ArithmExpr) {
	if x == nil {
		return
	}
	at := int(x.Pos().Offset())
	raw := func(end int) {
		if at < end && end <= len(c.source) {
			c.emit(Instr{Op: OpLit, Text: c.source[at:end], A: LitQuoted})
		}
		at = max(at, end)
	}
	syntax.Walk(x, func(n syntax.Node) bool {
		w, ok := n.(*syntax.Word)
		if !ok {
			return true
		}
		raw(int(w.Pos().Offset()))
		for _, part := range w.Parts {
			if p, ok := part.(*syntax.ParamExp); ok && !p.Dollar.IsValid() && p.Index != nil {
				c.emit(Instr{Op: OpLit, Text: p.Param.Value + "[", A: LitQuoted})
				c.arithParts(p.Index)
				c.emit(Instr{Op: OpLit, Text: "]", A: LitQuoted})
				continue
			}
			c.parts([]syntax.WordPart{part}, wordContext{quoted: true, arith: true})
		}
		at = max(at, int(w.End().Offset()))
		return false
	})
	raw(int(x.End().Offset()))
}
