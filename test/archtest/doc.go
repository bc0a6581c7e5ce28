// Package archtest enforces the rules that a linter cannot: which of our packages may import
// which, and the form of files, packages, SQL, migrations and the architecture pages. It only has
// tests. A violation is reported with the reason for the rule; docs/architecture/packages.md has
// the whole picture. Each rule is tested with sources that must break it.
//
// The linter's rules are in .golangci.yml: who may import which library, what a decision may not
// call, and more. The sources below testdata/lint break those rules, and `make lint` checks that
// each violation is found.
package archtest
