package main

import "testing"

// TestBugs: each seeded bug changes sources that are as it expects, and no two have a name in common.
func TestBugs(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	for _, b := range bugs {
		if names[b.name] {
			t.Errorf("two bugs are named %q", b.name)
		}
		names[b.name] = true
		if _, err := b.texts(t.Context()); err != nil {
			t.Errorf("%s: %v", b.name, err)
		}
	}
}
