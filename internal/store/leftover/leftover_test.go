package leftover_test

import (
	"log/slog"
	"testing"

	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/store/leftover"
	"github.com/rowlock/rowlock/internal/store/storetest"
)

// TestMemory_OfWhatIsGone: it is forgotten, even if only a client has deleted the object.
func TestMemory_OfWhatIsGone(t *testing.T) {
	t.Parallel()
	f := storetest.New(t, store.Config{})
	kept, gone := f.MustWrite(storetest.CreateReplicaSet("kept", "web")), f.MustWrite(storetest.CreateReplicaSet("gone", "web"))
	f.MustExec("INSERT INTO memories (uid, state) VALUES ($1, 'kept'), ($2, 'gone')", kept.UID, gone.UID)
	f.MustWrite(storetest.Remove(gone))
	f.MustExec("INSERT INTO memories (uid, state) SELECT md5(i::text)::uuid, '' FROM generate_series(1, 1500) AS i")
	if err := leftover.New(f.Pool, slog.New(slog.DiscardHandler)).Remove(t.Context()); err != nil {
		t.Fatal(err)
	}
	memory, err := f.Memory(t.Context(), kept.UID)
	if n := f.Number("SELECT count(*) FROM memories"); n != 1 || string(memory) != "kept" || err != nil {
		t.Errorf("%d memories are left, and %q is remembered, error %v", n, memory, err)
	}
}
