package code

import (
	"strconv"
	"strings"

	"mvdan.cc/sh/v3/syntax"
)

// maxBraces bounds the words of one brace expansion.
const maxBraces = 10_001

// braces expands the brace expressions in the parts of a word.
func (c *compiler) braces(parts []syntax.WordPart) [][]syntax.WordPart {
	all := [][]syntax.WordPart{nil}
	for _, part := range parts {
		var choices [][]syntax.WordPart
		if b, ok := part.(*syntax.BraceExp); ok {
			if b.Sequence {
				for _, s := range sequence(b) {
					choices = append(choices, []syntax.WordPart{&syntax.Lit{Value: s}})
				}
			} else {
				for _, e := range b.Elems {
					choices = append(choices, c.braces(e.Parts)...)
				}
			}
		} else {
			choices = [][]syntax.WordPart{{part}}
		}
		var next [][]syntax.WordPart
		for _, head := range all {
			for _, tail := range choices {
				if len(next) >= maxBraces {
					return next
				}
				next = append(next, append(head[:len(head):len(head)], tail...))
			}
		}
		all = next
	}
	return all
}

// sequence returns the elements of {a..b} and {a..b..step}.
func sequence(b *syntax.BraceExp) []string {
	first, last := b.Elems[0].Lit(), b.Elems[1].Lit()
	step := 1
	if len(b.Elems) > 2 {
		step, _ = strconv.Atoi(b.Elems[2].Lit())
	}
	step = max(1, step, -step)
	from, err1 := strconv.Atoi(first)
	to, err2 := strconv.Atoi(last)
	letters := err1 != nil || err2 != nil
	if letters {
		from, to = int(first[0]), int(last[0])
	}
	width := 0
	for _, s := range []string{first, last} {
		if !letters && strings.HasPrefix(strings.TrimPrefix(s, "-"), "0") && len(s) > 1 {
			width = max(len(first), len(last))
		}
	}
	var all []string
	for i := from; (from <= to && i <= to || from > to && i >= to) && len(all) < maxBraces; {
		if letters {
			all = append(all, string(rune(i)))
		} else {
			s := strconv.Itoa(max(i, -i))
			sign := ""
			if i < 0 {
				sign = "-"
			}
			all = append(all, sign+strings.Repeat("0", max(0, width-len(s)-len(sign)))+s)
		}
		if from <= to {
			i += step
		} else {
			i -= step
		}
	}
	return all
}
