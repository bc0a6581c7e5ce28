package archtest

import (
	"fmt"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

// entryPage links all other architecture pages, and longPage is how many lines one may have.
const entryPage, longPage = "docs/ARCHITECTURE.md", 150

// shortPages lists pages that are too long, have no drawing, or are not linked from the entry.
func shortPages(s sources) (broken []string) {
	for name, text := range s.pages {
		if n := strings.Count(text, "\n"); n > longPage {
			broken = append(broken, fmt.Sprintf("%s has %d lines, more than %d", name, n, longPage))
		}
		if !strings.Contains(text, "\n```\n") && !strings.Contains(text, "\n```mermaid\n") {
			broken = append(broken, name+" has no drawing")
		}
		if link := "(architecture/" + path.Base(name) + ")"; name != entryPage && !strings.Contains(s.pages[entryPage], link) {
			broken = append(broken, name+" is not linked from "+entryPage)
		}
	}
	return broken
}

// quoted matches the text between backquotes in a line.
var quoted = regexp.MustCompile("`([^`\n]+)`")

// packagesOnPages lists packages that no page names.
func packagesOnPages(s sources) []string {
	missing := map[string]bool{}
	for _, f := range s.files {
		missing[f.dir] = true
	}
	for _, text := range s.pages {
		for _, match := range quoted.FindAllStringSubmatch(text, -1) {
			delete(missing, match[1])
		}
	}
	return slices.Sorted(maps.Keys(missing))
}
