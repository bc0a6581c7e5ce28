package store_test

import (
	"context"
	"fmt"
	"io/fs"
	"net"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rowlock/rowlock/internal/controller/names"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/store"
	"github.com/rowlock/rowlock/internal/store/storetest"
	"github.com/rowlock/rowlock/internal/wakeup"
	"github.com/rowlock/rowlock/migrations"
)

var parameter = regexp.MustCompile(`(_\w+) => \$(\d+)`)

// TestStatements_TakeWhatTheyAreGiven: the n-th argument of each call is the one that the statement
// takes as $n. PostgreSQL checks that the function has an argument of this name.
func TestStatements_TakeWhatTheyAreGiven(t *testing.T) {
	t.Parallel()
	for name, given := range store.Arguments() {
		var taken []string
		for i, m := range parameter.FindAllStringSubmatch(store.SQL(name), -1) {
			if m[2] != fmt.Sprint(i+1) {
				t.Errorf("%s: parameter %d is $%s", name, i+1, m[2])
			}
			taken = append(taken, m[1])
		}
		if diff := cmp.Diff(given, taken); diff != "" {
			t.Errorf("%s takes other arguments than it is given (-given +taken):\n%s", name, diff)
		}
	}
}

// functionText returns the file of an SQL function.
func functionText(t *testing.T, name string) string {
	t.Helper()
	text, err := fs.ReadFile(migrations.FS, "functions/"+name+".sql")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// TestOutcomes_AreTheLettersOfApply: apply returns the letters that Go has names for, and no
// others; its comment explains each of them.
func TestOutcomes_AreTheLettersOfApply(t *testing.T) {
	t.Parallel()
	var want []string
	for _, o := range []store.Outcome{
		store.Kept, store.NameTaken, store.NamespaceNotFound, store.NamespaceTerminating, store.Busy, store.Moved, store.Gone, store.Reserved,
		store.Skipped, store.OverQuota, store.OtherQuotas, store.DefinitionNotFound, store.DefinitionTerminating,
	} {
		want = append(want, string(o))
	}
	slices.Sort(want)
	comment, body, _ := strings.Cut(functionText(t, "apply"), "CREATE OR REPLACE FUNCTION")
	for _, part := range []string{"apply_write", "apply_wake", "apply_again", "wake_selecting"} {
		body += functionText(t, part)
	}
	letters := func(pattern, text string) (all []string) {
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
			if !slices.Contains([]string{"c", "u", "d"}, m[1]) { // verbs
				all = append(all, m[1])
			}
		}
		slices.Sort(all)
		return slices.Compact(all)
	}
	if diff := cmp.Diff(want, letters(`'([a-z])'`, body)); diff != "" {
		t.Errorf("apply answers with other letters (-Go +SQL):\n%s", diff)
	}
	_, legend, _ := strings.Cut(comment, "one letter a change:")
	legend, _, _ = strings.Cut(legend, ".")
	if diff := cmp.Diff(want, letters(`(?:^|·)[\s-]*([a-z]) `, legend)); diff != "" {
		t.Errorf("apply's comment explains other letters (-Go +SQL):\n%s", diff)
	}
}

// TestControllers_AreSpeltAlike: every controller name in SQL is one that Go defines.
func TestControllers_AreSpeltAlike(t *testing.T) {
	t.Parallel()
	known := []string{store.APIServer, names.Endpoints, names.EventExpiry, names.GarbageCollector, names.Kubelet, names.ResourceQuota}
	// Other quoted text: outcomes and phases, JSON keys, resources, settings.
	other := []string{
		"advancing", "backwards", "beyond", "busy", "changing", "done", "interrupted", "none", "ok", "running", "stepped",
		"amount", "changed", "charge", "format", "judged", "known", "limited", "of", "quota", "defined", "resource", "slot", "spec", "used",
		"events", "namespaces", "pods", "making", "ready", "removing", "scheduler", "housekeeping",
	}
	quoted := regexp.MustCompile(`'([a-z]{2,})'`)
	var found []string
	err := fs.WalkDir(migrations.FS, ".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(migrations.FS, name)
		for _, m := range quoted.FindAllStringSubmatch(string(text), -1) {
			if !slices.Contains(other, m[1]) {
				found = append(found, m[1])
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(found)
	if diff := cmp.Diff(known, slices.Compact(found)); diff != "" {
		t.Errorf("SQL names other controllers, or has a word that is to be listed here (-Go +SQL):\n%s", diff)
	}
}

// TestS4_OneMessage: a client's write is one message to the server. So is a claim, and so is
// applying, acknowledging, remembering and committing its result.
func TestS4_OneMessage(t *testing.T) {
	t.Parallel()
	plain := newStore(t, store.Config{})
	f, p := newTapped(t, plain.URL())
	sent := func(what string, do func()) {
		t.Helper()
		before := p.count()
		do()
		if n := p.count() - before; n != 1 {
			t.Errorf("%s takes %d messages", what, n)
		}
	}
	var v *object.Version
	sent("a creation", func() { v = f.MustWrite(storetest.CreateReplicaSet("a", "web")) })
	sent("an update", func() { v = f.MustWrite(storetest.Touch(v, "1")) })

	conn, err := f.Pool.Acquire(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Release()
	turn := func(value string, count func(string, func())) {
		var claimed wakeup.Claimed
		count("a claim", func() { claimed = f.Claim(conn.Conn(), names.ReplicaSet, "") })
		batch := newBatch(names.ReplicaSet)
		for _, c := range claimed.Claims {
			batch.Acknowledge(c.IDs...)
		}
		if _, err := batch.Add(storetest.Touch(v, value), 0, v.UID, claimed.Now); err != nil {
			t.Fatal(err)
		}
		batch.Remember(v.UID, v.Revision, []byte(value))
		count("a commit", func() {
			applied, err := f.Commit(t.Context(), conn.Conn(), batch)
			if err != nil || len(applied.Versions) != 1 {
				t.Fatalf("applied %+v: %v", applied, err)
			}
			v = applied.Versions[0]
		})
	}
	turn("2", func(_ string, do func()) { do() }) // the connection prepares the statements
	turn("3", sent)
}

// TestS4_AStoppedClientHoldsNothing: a client that is stopped after its message is sent still
// commits, and others do not notice.
func TestS4_AStoppedClientHoldsNothing(t *testing.T) {
	t.Parallel()
	f := newStore(t, store.Config{})
	stopped, p := newTapped(t, f.URL())
	goOn := make(chan struct{})
	p.set(func(conn net.Conn, message []byte) (int, error) {
		n, err := conn.Write(message)
		<-goOn
		return n, err
	})
	before := f.Number("SELECT value FROM revision")
	done := make(chan error, 1)
	go func() {
		_, err := stopped.Write(t.Context(), storetest.CreateConfigMap("stopped"))
		done <- err
	}()
	storetest.Eventually(t, "the stopped client's write is committed", func() bool { return f.Number("SELECT value FROM revision") == before+1 })
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if _, err := f.Pool.Exec(ctx, "SELECT FROM revision FOR UPDATE NOWAIT"); err != nil {
		t.Errorf("the counter is held: %v", err)
	}
	close(goOn)
	if err := <-done; err != nil {
		t.Error(err)
	}
}
