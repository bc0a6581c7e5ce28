package main

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/rowlock/rowlock/test/exercise"
)

// befallProgram replaces a replica by one of another build for a while.
func (f *fleet) befallProgram(ctx context.Context, fault Fault, last func()) error {
	whole, r := context.WithoutCancel(ctx), f.replicas[fault.Replica]
	r.kill()
	if fault.Kind == OldVersion {
		if err := r.refused(whole); err != nil {
			return err
		}
		return r.start(whole)
	}
	skew := time.Hour
	if fault.For%2 == 0 {
		skew = -skew
	}
	if err := r.startAs(whole, program{path: f.skewed, env: []string{skewVariable + "=" + fmt.Sprint(int(skew.Seconds()))}}); err != nil {
		return err
	}
	last()
	exercise.Sleep(ctx, 5*time.Second) // for some work
	r.kill()
	return r.start(whole)
}

// isOld reports whether the replica runs the version before.
func (r *replica) isOld() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.old != "" && r.running != nil && r.running.cmd.Path == r.old
}

// refusal is what a replica says that is older than the database.
const refusal = "the database was migrated by a newer Rowlock"

// refused starts a replica of the version before, which must end and say why.
func (r *replica) refused(ctx context.Context) error {
	var said string
	understood := exercise.Retry(ctx, 200*time.Millisecond, func() bool {
		bounded, cancel := context.WithTimeout(ctx, exercise.Patience)
		defer cancel()
		out, err := exec.CommandContext(bounded, r.old, r.arguments()...).CombinedOutput()
		said = string(out)
		return err != nil && strings.Contains(said, refusal)
	})
	if !understood {
		return fmt.Errorf("%s of the version before is not refused: %s", r.name, said)
	}
	return nil
}

// upgrade replaces the replicas of the version before by present ones, one after the other, while
// the others go on.
func (f *fleet) upgrade(ctx context.Context) error {
	for _, r := range f.replicas {
		exercise.Sleep(ctx, 5*time.Second)
		r.kill()
		if err := r.start(context.WithoutCancel(ctx)); err != nil {
			return err
		}
	}
	return f.database.exec(ctx, sqlArchive)
}

// nextMigration is the migration by which a version after this one differs from it.
const nextMigration = `-- +goose Up
COMMENT ON TABLE lineage IS 'of the next version';

-- +goose Down
COMMENT ON TABLE lineage IS NULL;
`

// nextTexts returns the files by which a version after this one differs from it.
func nextTexts(ctx context.Context) (map[string]string, error) {
	root, err := moduleDir(ctx)
	if err != nil {
		return nil, err
	}
	return map[string]string{filepath.Join(root, "migrations", "99999_next.sql"): nextMigration}, nil
}

// build builds the further binaries that the options ask for, in a directory.
func (o *options) build(ctx context.Context, dir string) (err error) {
	texts := map[string]string{}
	if o.next {
		if texts, err = nextTexts(ctx); err != nil {
			return err
		}
		o.old = o.rowlock
		if o.rowlock, err = buildOverlaid(ctx, dir, "rowlock-next", texts); err != nil {
			return err
		}
	}
	if o.skew {
		o.skewed, err = buildSkewed(ctx, dir, texts)
	}
	return err
}

// outdated accepts what replicas of a version before pg.IsOtherSchema answer when a newer one has
// changed the functions of the database, or is changing them.
func outdated(err error) bool {
	return apierrors.IsInternalError(err) && (strings.Contains(err.Error(), "SQLSTATE 42883") || strings.Contains(err.Error(), "cache lookup failed for function"))
}

// skewVariable tells a program that buildSkewed has built how many seconds its clock is ahead.
const skewVariable = "ROWLOCK_CAMPAIGN_SKEW"

// skewedNow replaces the function of package time: what it returns is wrong by skew, while timers
// and durations stay right, as on a machine whose clock is wrong.
const (
	rightNow  = "\tsec, nsec, mono := runtimeNow()\n\tif mono == 0 {"
	skewedNow = "\tsec, nsec, mono := runtimeNow()\n\tsec += skew\n\tif mono == 0 {"
	skewOf    = `
var skew = readSkew()

func readSkew() (n int64) {
	text, _ := syscall.Getenv("` + skewVariable + `")
	negative := len(text) > 0 && text[0] == '-'
	for _, c := range text {
		if '0' <= c && c <= '9' {
			n = 10*n + int64(c-'0')
		}
	}
	if negative {
		return -n
	}
	return n
}
`
)

// buildSkewed builds Rowlock, with other texts in place of some files, and with a package time
// whose clock can be wrong: no setting of the program, and no other library, does that for all its
// reads.
func buildSkewed(ctx context.Context, dir string, texts map[string]string) (binary string, err error) {
	root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
	if err != nil {
		return "", fmt.Errorf("find Go: %w", err)
	}
	source := filepath.Join(strings.TrimSpace(string(root)), "src", "time", "time.go")
	text, err := os.ReadFile(source)
	if err != nil {
		return "", err
	}
	changed := strings.Replace(string(text), rightNow, skewedNow, 1)
	changed = strings.Replace(changed, "import (\n", "import (\n\t\"syscall\"\n", 1)
	if !strings.Contains(changed, skewedNow) || !strings.Contains(changed, `"syscall"`) {
		return "", errors.New("package time of this Go is not as expected")
	}
	texts = maps.Clone(texts)
	texts[source] = changed + skewOf
	return buildOverlaid(ctx, dir, "rowlock-skewed", texts)
}
