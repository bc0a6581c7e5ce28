package sed

import (
	"strings"

	"github.com/rowlock/rowlock/internal/emulator/utility"
	"github.com/rowlock/rowlock/internal/emulator/utility/pattern"
)

// parse parses a script; if it is wrong, it prints an error and ends the utility.
func parse(c *utility.Call, text string, extended bool) *script {
	if len(text) > utility.MaxScript {
		c.Fatal(1, "script too long")
	}
	p := &parser{Call: c, in: text, extended: extended, script: &script{}, labels: map[string]int{}}
	if p.script.quiet = text == "#n" || strings.HasPrefix(text, "#n\n"); p.script.quiet {
		p.at = 2
	}
	for p.skip(" \t\n;"); p.at < len(p.in); p.skip(" \t\n;") {
		p.command()
	}
	if len(p.blocks) > 0 {
		p.wrong("unmatched '{'")
	}
	for i := range p.script.commands {
		cmd := &p.script.commands[i]
		if strings.IndexByte("btT", cmd.name) < 0 {
			continue
		}
		cmd.n = len(p.script.commands)
		if cmd.text != "" {
			to, known := p.labels[cmd.text]
			if !known {
				p.wrong("can't find label for jump to '%s'", cmd.text)
			}
			cmd.n = to
		}
	}
	return p.script
}

// address parses one address; nil for none.
func (p *parser) address() *address {
	switch b := p.peek(); {
	case b == '$':
		p.at++
		p.script.last = true
		return &address{kind: '$'}
	case b >= '0' && b <= '9':
		a := &address{kind: 'n', n: p.number()}
		if p.peek() == '~' {
			p.at++
			a.kind, a.step = '~', p.number()
		}
		return a
	case b == '/' || b == '\\' && p.at+1 < len(p.in):
		if b == '\\' {
			p.at++
		}
		text := p.delimited(true)
		o := pattern.Options{Extended: p.extended, Escapes: true}
		for ; p.peek() == 'I' || p.peek() == 'M'; p.at++ {
			o.Fold = o.Fold || p.peek() == 'I'
			o.Multi = o.Multi || p.peek() == 'M'
		}
		return &address{kind: '/', re: p.regex(text, o)}
	}
	return nil
}

// secondAddress parses the address after a comma.
func (p *parser) secondAddress() *address {
	b := p.peek()
	if b == '+' || b == '~' {
		p.at++
		return &address{kind: b, n: p.number()}
	}
	a := p.address()
	if a == nil || a.kind == '~' {
		p.wrong("unexpected ','")
	}
	return a
}

// command parses one command with its addresses.
func (p *parser) command() {
	cmd := command{}
	if cmd.first = p.address(); cmd.first != nil {
		p.skip(" \t")
		if p.peek() == ',' {
			p.at++
			p.skip(" \t")
			cmd.second = p.secondAddress()
		}
	}
	if cmd.first != nil && cmd.first.kind == 'n' && cmd.first.n == 0 && (cmd.second == nil || cmd.second.kind != '/') {
		p.wrong("invalid usage of line address 0")
	}
	p.skip(" \t")
	for p.peek() == '!' {
		cmd.not = true
		p.at++
		p.skip(" \t")
	}
	if p.at >= len(p.in) {
		p.wrong("missing command")
	}
	cmd.name = p.in[p.at]
	p.at++
	p.Step(4)
	p.arguments(&cmd)
}

// arguments parses what follows the letter of a command, and adds the command to the script.
func (p *parser) arguments(cmd *command) {
	switch cmd.name {
	case '#':
		if cmd.first != nil {
			p.wrong("comments don't accept any addresses")
		}
		p.rest()
		return
	case ':':
		if cmd.first != nil {
			p.wrong(": doesn't want any addresses")
		}
		label := strings.TrimSpace(p.upToAny("\n;"))
		if label == "" {
			p.wrong("\":\" lacks a label")
		}
		p.labels[label] = len(p.script.commands)
		return
	case '}':
		if len(p.blocks) == 0 || cmd.first != nil {
			p.wrong("unexpected '}'")
		}
		p.script.commands[p.blocks[len(p.blocks)-1]].n = len(p.script.commands)
		p.blocks = p.blocks[:len(p.blocks)-1]
		p.ending()
		return
	case '{':
		p.blocks = append(p.blocks, len(p.script.commands))
		if len(p.blocks) > utility.MaxDepth {
			p.wrong("too many '{'")
		}
	case '=', 'd', 'D', 'g', 'G', 'h', 'H', 'n', 'N', 'p', 'P', 'x', 'l', 'z':
		p.ending()
	case 'q', 'Q':
		p.skip(" \t")
		cmd.n = int(min(255, p.number()))
		p.ending()
	case 'b', 't', 'T':
		p.skip(" \t")
		cmd.text = strings.TrimSpace(p.upToAny("\n;}"))
	case 'a', 'i', 'c':
		cmd.text = p.text()
	case 'r':
		p.skip(" \t")
		if cmd.text = p.rest(); cmd.text == "" {
			p.wrong("missing filename in r command")
		}
	case 's':
		p.substitution(cmd)
	case 'y':
		p.transliteration(cmd)
	default:
		p.wrong("unknown command: '%c'", cmd.name)
	}
	p.script.commands = append(p.script.commands, *cmd)
}

func (p *parser) transliteration(cmd *command) {
	if p.at >= len(p.in) {
		p.wrong("unterminated 'y' command")
	}
	from := []rune(yText(p.delimited(false)))
	p.at-- // the delimiter in the middle begins the second part
	to := []rune(yText(p.delimited(false)))
	if len(from) != len(to) {
		p.wrong("strings for 'y' command are different lengths")
	}
	cmd.table = map[rune]rune{}
	for i, r := range from {
		if _, known := cmd.table[r]; !known {
			cmd.table[r] = to[i]
		}
	}
	p.ending()
}

func yText(s string) string {
	return strings.NewReplacer(`\\`, `\`, `\n`, "\n", `\t`, "\t", `\r`, "\r").Replace(s)
}
