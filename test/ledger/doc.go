// Package ledger holds the test of what Rowlock's work costs. It plays one fixed story and counts:
// statements, rows, bytes of WAL, bodies encoded and decoded, allocations. testdata/ledger.txt says
// what each count may be, and why. Times are measured elsewhere, by test/bench: counts are the
// same on every machine, because the story's clock is paused and its workers take their turns one
// by one.
package ledger
