// Package house keeps the house rules that a linter cannot: which of our packages may import which, how files, packages,
// SQL and migrations look. It has tests only. Each rule says why it is there when it is broken; docs/ARCHITECTURE.md has the
// whole picture. A rule is itself tested with sources that must break it.
//
// What a linter can keep is in .golangci.yml: who may import which library, what a decision may not call, and more. The
// sources below testdata/lint break those rules, and `make lint` sees that each is found.
package house
