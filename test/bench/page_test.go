package main

import (
	"os"
	"path/filepath"
	"testing"
)

func TestKeep(t *testing.T) {
	t.Parallel()
	page := filepath.Join(t.TempDir(), "page.md")
	const first = "# Figures\n\n<!-- bench: api -->\nold\n<!-- bench: end -->\n\n<!-- bench: jobs -->\n<!-- bench: end -->\n\nThe end.\n"
	if err := os.WriteFile(page, []byte(first), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, step := range []struct{ group, text string }{{"api", "slow\n"}, {"jobs", "one\ntwo\n"}, {"api", "fast\n"}} {
		if err := keep(page, step.group, step.text); err != nil {
			t.Fatal(err)
		}
	}
	if err := keep(page, "clock", "no place for it\n"); err == nil {
		t.Error("a group without a place was kept")
	}
	got, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	const want = "# Figures\n\n<!-- bench: api -->\n\nfast\n\n<!-- bench: end -->\n\n<!-- bench: jobs -->\n\none\ntwo\n\n<!-- bench: end -->\n\nThe end.\n"
	if string(got) != want {
		t.Errorf("page = %q, want %q", got, want)
	}
}

// TestKeep_EveryGroupHasItsPlace: the page of the figures has a place for every group.
func TestKeep_EveryGroupHasItsPlace(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/BENCHMARKS.md")
	if err != nil {
		t.Fatal(err)
	}
	page := filepath.Join(t.TempDir(), "page.md")
	if err := os.WriteFile(page, text, 0o644); err != nil {
		t.Fatal(err)
	}
	for _, m := range measures {
		if err := keep(page, m.name, "| |\n"); err != nil {
			t.Error(err)
		}
	}
}
