package archtest

import (
	"fmt"
	"path"
	"regexp"
	"strings"
)

// translated matches phrases that show that a sentence was not thought in English, and
// "folder", for which the code and the field say directory.
var translated = regexp.MustCompile(`\b(` + strings.Join([]string{
	`of which`, `of whom`, `for whom`, `(is|are) none`, `[Nn]obody`, `[Ee]verybody`, `(is|are) told`, `[Tt]old of`, `[Ff]or want of`,
	`[Ff]oretell`, `[Ff]oretold`, `[Ff]oreseen`, `becomes? of`, `comes? of`, `[Bb]y turns`, `[Ii]n vain`, `anew`, `heard of`,
	`(is|are) to be`, `[Tt]hat is to say`, `(is|are) looked at`, `(is|are) no [a-z]+`, `[Ww]hoever`, `who asks`, `of whose`,
	`be it`, `lest`, `(can|could|may) be had`, `is let (in|through)`, `told apart`, `(is|are) said of`, `what there is`,
	`has no say`, `tells? of`, `for who [a-z]+`, `had better`, `as if it had come alone`, `says of (it|itself|them)`, `[Ff]olders?`,
}, "|") + `)\b`)

// fine matches what looks like such a phrase and is plain English, or a name in quotes.
var fine = regexp.MustCompile("([Tt]here (is|are) (none|no))|((is|are) no (longer|more|better|such|other|different|less|later|change)\\b)|(each|either|none|one|two|some|most|all|both) of which|`[^`]*`|\"[^\"]*\"")

// translatedPhrase returns the first such phrase of a line, or nothing.
func translatedPhrase(line string) string {
	return translated.FindString(fine.ReplaceAllString(line, ""))
}

// translatedProse lists the comments and pages that read like a translation.
func translatedProse(s sources) (broken []string) {
	for _, f := range s.files {
		if f.generated {
			continue
		}
		for _, group := range f.ast.Comments {
			for _, line := range group.List {
				if phrase := translatedPhrase(line.Text); phrase != "" {
					broken = append(broken, fmt.Sprintf("%s: %s", f.at(line.Pos()), phrase))
				}
			}
		}
	}
	for name, text := range s.texts {
		sign := ""
		if path.Ext(name) == ".sql" {
			sign = "--"
		}
		broken = append(broken, translatedLines(name, text, sign)...)
	}
	return broken
}

// translatedLines lists the lines of a text that read like a translation: what stands behind the
// comment sign, or the whole line where that is empty.
func translatedLines(name, text, sign string) (broken []string) {
	n := 0
	for line := range strings.Lines(text) {
		n++
		_, prose, found := strings.Cut(line, sign)
		if phrase := translatedPhrase(prose); found && phrase != "" {
			broken = append(broken, fmt.Sprintf("%s:%d: %s", name, n, phrase))
		}
	}
	return broken
}
