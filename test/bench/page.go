package main

import (
	"bytes"
	"fmt"
	"os"
)

// keep replaces the group's part of a Markdown page by text. The part is between two comments,
// `<!-- bench: GROUP -->` and `<!-- bench: end -->`; the rest of the page is unchanged. A page
// without a place for the group is an error, and is not changed.
func keep(page, group, text string) error {
	old, err := os.ReadFile(page)
	if err != nil {
		return err
	}
	begin, end := fmt.Sprintf("<!-- bench: %s -->\n", group), []byte("<!-- bench: end -->\n")
	before, rest, found := bytes.Cut(old, []byte(begin))
	_, after, closed := bytes.Cut(rest, end)
	if !found || !closed {
		return fmt.Errorf("%s has no place for the group %s: %q and %q", page, group, begin, end)
	}
	next := fmt.Appendf(nil, "%s%s\n%s\n%s%s", before, begin, text, end, after)
	return os.WriteFile(page, next, 0o644)
}
