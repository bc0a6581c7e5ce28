// Package other breaks the rules for everything else. Only the linter reads it: test/archtest/testdata/lint/want.txt says what it finds.
package other

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"

	_ "github.com/danielgtaylor/huma/v2"
	_ "github.com/go-chi/chi/v5"
	_ "github.com/jackc/pgx/v5/pgxpool"
	_ "github.com/robfig/cron/v3"
)

type state int

const (
	waiting state = iota
	running
)

var errOther = errors.New("other")

func Exported(ctx context.Context, db *sql.DB, s state) (err error) {
	switch s {
	case waiting:
	}
	if _, known := os.LookupEnv("HOME"); !known || s == running {
		os.Exit(1)
	}
	fmt.Println("hello")
	rows, err := db.QueryContext(ctx, "SELECT 1")
	if err == errOther {
		return nil
	}
	for rows.Next() { //nolint
	}
	os.Remove("x")
	return fmt.Errorf("other: %v", err)
}

type wide interface {
	A()
	B()
	C()
	D()
	E()
	F()
}

var _ wide

var _ = []string{"one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"}
