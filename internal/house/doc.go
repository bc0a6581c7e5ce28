// Package house keeps the house rules: which package may import which, what a decision may not call, how files and
// packages look. It has tests only. Each rule says why it is there when it is broken; docs/ARCHITECTURE.md has the whole
// picture. A rule is itself tested with sources that must break it.
package house
