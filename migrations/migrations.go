// Package migrations holds the database's schema and the functions that make its hot transactions, as goose files.
package migrations

import "embed"

// FS holds the migrations, in the order of their names.
//
//go:embed *.sql
var FS embed.FS
