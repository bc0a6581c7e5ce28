// Package migrations holds what a database of Rowlock's is made of: the tables, as goose files, and the functions that make
// the hot transactions, each whole in a file of its own and named like it.
//
// Tables change step by step, as they hold data. Functions hold none: a process that starts installs those whose text is not
// that of the file (package pg). Both stand in this folder because a state of the one needs a state of the other, and what is
// made from both, such as the template that tests copy, is named after both.
package migrations

import "embed"

// FS holds the migrations, in the order of their names, and below functions the functions.
//
//go:embed *.sql functions/*.sql
var FS embed.FS
