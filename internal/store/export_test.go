package store

import (
	"context"
	"embed"

	"github.com/jackc/pgx/v5"
)

//go:embed sql/*.sql
var statements embed.FS

// ReadTraffic is the statement of package traffic.
//
//go:embed traffic/read.sql
var ReadTraffic string

// SQL returns the text of a statement by its file name.
func SQL(name string) string {
	text, err := statements.ReadFile("sql/" + name + ".sql")
	if err != nil {
		panic(err)
	}
	return string(text)
}

// Apply applies a batch in conn's open transaction, which stays open.
func (s *Store) Apply(ctx context.Context, conn *pgx.Conn, b *Batch) error {
	var a Applied
	var m pgx.Batch
	if err := b.queue(&m, &a); err != nil {
		return err
	}
	return conn.SendBatch(ctx, &m).Close()
}

// Statements returns how many statements apply a batch, not counting COMMIT.
func Statements(b *Batch) int {
	var m pgx.Batch
	if err := b.queue(&m, new(Applied)); err != nil {
		panic(err)
	}
	return m.Len()
}

// Arguments returns the argument names of each statement of a batch, in order, by file name.
func Arguments() map[string][]string {
	var b Batch
	all := map[string][]string{}
	for name, args := range map[string]arguments{
		"apply": b.args(nil), "remember": b.memories.args(), "keep_files": b.files.args(), "wake": b.requests.args(), "wake_later": b.later.args(), "exchange": b.calls.args(),
		"recount": new(recount).args(), "await_room": b.awaiting.argsOf(""),
	} {
		for _, a := range args {
			all[name] = append(all[name], a.name)
		}
	}
	return all
}
