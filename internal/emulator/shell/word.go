package shell

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

// The kinds of text of an opLit.
const (
	litPlain  = iota // not quoted
	litQuoted        // quoted
	litSplit         // not quoted, and split
)

// words compiles words to fields.
func (c *compiler) words(list []*syntax.Word) {
	for _, w := range list {
		if c.dialect == bash && syntax.SplitBraces(w) {
			n := 0
			for _, parts := range c.braces(w.Parts) {
				if n++; n > 10_000 {
					c.foreign("a brace expansion to more than 10,000 words")
					return
				}
				c.word(&syntax.Word{Parts: parts}, false)
				c.emit(instr{op: opField})
			}
			continue
		}
		c.word(w, false)
		c.emit(instr{op: opField})
	}
}

// word compiles a word to a builder that holds its parts.
func (c *compiler) word(w *syntax.Word, assign bool) {
	c.emit(instr{op: opWord})
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
			c.emit(instr{op: opLit, text: text, a: litQuoted})
		case *syntax.DblQuoted:
			if len(x.Parts) == 0 {
				c.emit(instr{op: opLit, a: litQuoted})
			}
			c.parts(x.Parts, wordContext{quoted: true})
		case *syntax.ParamExp:
			c.param(x, ctx)
		case *syntax.CmdSubst:
			if x.TempFile || x.ReplyVar {
				c.foreign("${ command; }")
				return
			}
			at := c.emit(instr{op: opSub, b: quotes(ctx)})
			c.tails(x.Stmts)
			c.emit(instr{op: opLeave})
			c.here(at)
		case *syntax.ArithmExp:
			c.arithText(x.X)
			c.emit(instr{op: opArith, a: quotes(ctx)})
		case *syntax.ExtGlob:
			c.emit(instr{op: opLit, text: x.Op.String() + x.Pattern.Value + ")"})
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
	kind := litPlain
	switch {
	case ctx.quoted:
		escaped := "$`\"\\\n"
		if ctx.here {
			escaped = "$`\\\n"
		}
		c.emit(instr{op: opLit, text: unescape(text, escaped), a: litQuoted})
		return
	case ctx.split:
		kind = litSplit
	}
	if first && !ctx.split && strings.HasPrefix(text, "~") || ctx.assign && strings.Contains(text, ":~") {
		text = c.tildes(text, first, ctx.assign)
	}
	for text != "" {
		i := strings.IndexByte(text, '\\')
		if i < 0 || i == len(text)-1 {
			c.emit(instr{op: opLit, text: text, a: kind})
			return
		}
		if i > 0 {
			c.emit(instr{op: opLit, text: text[:i], a: kind})
		}
		_, n := utf8.DecodeRuneInString(text[i+1:])
		if text[i+1] != '\n' {
			c.emit(instr{op: opLit, text: text[i+1 : i+1+n], a: litQuoted})
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
			c.emit(instr{op: opLit, text: text[:i]})
		}
		c.emit(instr{op: opParam, a: 1, param: &param{name: "HOME"}})
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
	c.emit(instr{op: opWord})
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
				c.emit(instr{op: opLit, text: text, a: litQuoted})
			}
		}
	default:
		c.parts(r.Hdoc.Parts, wordContext{quoted: true, here: true, strip: strip})
	}
	c.emit(instr{op: opString})
}

// param compiles a parameter expansion.
func (c *compiler) param(x *syntax.ParamExp, ctx wordContext) {
	if x.Param == nil || x.Width || x.IsSet || x.Flags != nil || len(x.Modifiers) > 0 || x.NestedParam != nil {
		c.foreign("this parameter expansion")
		return
	}
	p := &param{name: x.Param.Value, excl: x.Excl, length: x.Length, names: x.Names != 0}
	if c.dialect != bash && (x.Index != nil || x.Excl) {
		c.emit(instr{op: opSyntax, text: "syntax error: bad substitution"})
		return
	}
	if x.Index != nil {
		switch w, _ := x.Index.(*syntax.Word); {
		case w != nil && w.Lit() == "@":
			p.index = atIndex
		case w != nil && w.Lit() == "*":
			p.index = starIndex
		default:
			p.index = exprIndex
			c.arithText(x.Index)
			c.emit(instr{op: opString})
		}
	}
	q := quotes(ctx)
	switch {
	case x.Slice != nil:
		p.slice = true
		c.arithText(x.Slice.Offset)
		c.emit(instr{op: opString})
		if x.Slice.Length != nil {
			p.sliceLen = true
			c.arithText(x.Slice.Length)
			c.emit(instr{op: opString})
		}
	case x.Repl != nil:
		p.replace, p.all = true, x.Repl.All
		c.replace(p, x.Repl)
	case x.Exp != nil:
		p.op, p.hasOp = x.Exp.Op, true
		if x.Exp.Op <= syntax.AssignUnsetOrNull {
			c.paramTest(p, x.Exp, ctx)
			return
		}
		c.word(x.Exp.Word, false)
		c.emit(instr{op: opString, a: asPattern})
	}
	c.emit(instr{op: opParam, param: p, a: q})
}

func (c *compiler) replace(p *param, r *syntax.Replace) {
	var orig []syntax.WordPart
	if r.Orig != nil {
		orig = r.Orig.Parts
	}
	if len(orig) > 0 && !r.All {
		if lit, ok := orig[0].(*syntax.Lit); ok && lit.Value != "" && (lit.Value[0] == '#' || lit.Value[0] == '%') {
			p.anchor = lit.Value[0]
			rest := *lit
			rest.Value = rest.Value[1:]
			orig = append([]syntax.WordPart{&rest}, orig[1:]...)
		}
	}
	c.word(&syntax.Word{Parts: orig}, false)
	c.emit(instr{op: opString, a: asPattern})
	c.word(r.With, false)
	c.emit(instr{op: opString})
}

// paramTest compiles the expansions with a word for parameters that are set, or that are not set.
func (c *compiler) paramTest(p *param, exp *syntax.Expansion, ctx wordContext) {
	q := quotes(ctx)
	at := c.emit(instr{op: opTest1, param: p, b: q})
	switch exp.Op {
	case syntax.AssignUnset, syntax.AssignUnsetOrNull, syntax.ErrorUnset, syntax.ErrorUnsetOrNull:
		c.emit(instr{op: opWord})
		if exp.Word != nil {
			c.parts(exp.Word.Parts, wordContext{quoted: ctx.quoted, here: ctx.here})
		}
		c.emit(instr{op: opString})
		c.emit(instr{op: opTest2, param: p, b: q})
	default:
		if exp.Word != nil {
			c.parts(exp.Word.Parts, wordContext{quoted: ctx.quoted, here: ctx.here, split: !ctx.quoted && !ctx.assign})
		} else if ctx.quoted {
			c.emit(instr{op: opLit, a: litQuoted})
		}
	}
	c.here(at)
}

// arithText compiles an expression to a builder that holds its expanded text: the value of an
// expanded variable may be a part of an expression.
func (c *compiler) arithText(x syntax.ArithmExpr) {
	c.emit(instr{op: opWord})
	c.arithParts(x)
}

func (c *compiler) arithParts(x syntax.ArithmExpr) {
	if x == nil {
		return
	}
	at := int(x.Pos().Offset())
	raw := func(end int) {
		if at < end && end <= len(c.source) {
			c.emit(instr{op: opLit, text: c.source[at:end], a: litQuoted})
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
				c.emit(instr{op: opLit, text: p.Param.Value + "[", a: litQuoted})
				c.arithParts(p.Index)
				c.emit(instr{op: opLit, text: "]", a: litQuoted})
				continue
			}
			c.parts([]syntax.WordPart{part}, wordContext{quoted: true, arith: true})
		}
		at = max(at, int(w.End().Offset()))
		return false
	})
	raw(int(x.End().Offset()))
}
