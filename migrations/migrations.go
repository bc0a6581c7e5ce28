// Package migrations holds the schema of Rowlock's database: the tables, as goose files, and the
// functions of the hot transactions, each complete in a file of its own, named like the function.
//
// Tables change step by step, because they hold data. Functions hold none: a starting process
// installs those whose text differs from the file (package pg). Both are in this directory because
// one version of the tables needs one version of the functions, and whatever is made from both,
// such as the template that tests copy, is named after both.
package migrations

import "embed"

// FS holds the migrations, in name order, and the functions in functions.
//
//go:embed *.sql functions/*.sql
var FS embed.FS
