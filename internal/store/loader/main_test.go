package loader_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m, pgtest.ServerGoroutines()...) }
