package pgtest

import (
	"testing"
	"time"

	"github.com/rowlock/rowlock/internal/pg"
	"github.com/rowlock/rowlock/migrations"
)

func TestNew_GivesEachTestItsOwnMigratedDatabase(t *testing.T) {
	t.Parallel()
	first, second := New(t), New(t)
	if err := pg.CheckMigrated(t.Context(), first, migrations.FS); err != nil {
		t.Fatal(err)
	}
	if _, err := first.Exec(t.Context(), "CREATE TABLE mine ()"); err != nil {
		t.Fatal(err)
	}
	if _, err := second.Exec(t.Context(), "SELECT FROM mine"); !pg.IsUndefinedTable(err) {
		t.Errorf("the second database shows the first one's table: %v", err)
	}
}

func BenchmarkClone(b *testing.B) {
	for b.Loop() {
		start := time.Now()
		b.Run("x", func(b *testing.B) { NewURL(b) })
		b.Log(time.Since(start))
	}
}
