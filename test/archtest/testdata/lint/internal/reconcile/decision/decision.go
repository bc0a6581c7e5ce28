// Package decision breaks the rules for decisions. Only the linter reads it: test/archtest/testdata/lint/want.txt says what it finds.
package decision

import (
	"context"
	"log/slog"
	"math/rand/v2"
	"os"
	clock "time"

	"github.com/google/uuid"
	"github.com/jackc/pgx/v5"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	names "k8s.io/apimachinery/pkg/util/rand"
	"k8s.io/klog/v2"

	"github.com/rowlock/rowlock/internal/store"
)

func decide(ctx context.Context) {
	slog.InfoContext(ctx, "log")
	_ = rand.IntN(2)
	_ = os.Getenv("HOME")
	_ = uuid.New()
	_ = pgx.ErrNoRows
	_ = store.ErrGone
	_ = clock.Now()
	_ = clock.Since
	_ = metav1.Now()
	_ = names.String(5)
	klog.Info("log")
}

// What decisions may do.
func allowed(log klog.Logger) (string, clock.Duration) {
	return names.SafeEncodeString("x"), clock.Second
}
