// Package house keeps the house rules that a linter cannot: which of our packages may import which, and what files,
// packages, SQL, migrations and the pages on the architecture look like. It has tests only. A rule that is broken says why
// it is there; docs/architecture/packages.md has the whole picture. Each rule is tested with sources that must break it.
//
// What a linter can keep is in .golangci.yml: who may import which library, what a decision may not call, and more. The
// sources below testdata/lint break those rules, and `make lint` sees that each is found.
package house
