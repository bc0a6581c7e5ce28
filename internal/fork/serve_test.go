package fork_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/internal/cluster/clustertest"
	"github.com/rowlock/rowlock/internal/pg"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

// forkSite is a site that closes after the forks that were made through it are removed.
func forkSite(t testing.TB) (s *clustertest.Site, database string) {
	t.Helper()
	database = pgtest.NewURL(t)
	return clustertest.Open(t, database), database
}

// TestFork_IsTheClusterAndGoesItsOwnWay: a fork equals the cluster at first, and then diverges.
func TestFork_IsTheClusterAndGoesItsOwnWay(t *testing.T) {
	t.Parallel()
	source, _ := forkSite(t)
	source.Populate()
	want := source.Everything()
	copied := source.Fork("what-if", "")
	clustertest.Same(t, "the fork", want, copied.Everything())
	copied.Advance("0s")
	clustertest.Same(t, "the fork, when all was done that was due", want, copied.Everything())

	log := "/api/v1/namespaces/default/pods/" + source.PodOf("count") + "/log"
	copied.Advance("6m")
	clustertest.Same(t, "the cluster, after time has passed in the fork", want, source.Everything())
	source.Advance("6m")
	if got, want := string(copied.Do("GET", log, "")), string(source.Do("GET", log, "")); got != want {
		t.Errorf("the program wrote\n%s\nand not\n%s", got, want)
	}
	copied.Do("DELETE", "/apis/apps/v1/namespaces/default/deployments/web", "")
	source.Do("GET", "/apis/apps/v1/namespaces/default/deployments/web", "")
	source.Do("POST", "/api/v1/namespaces/default/configmaps", `{"metadata":{"name":"mine"}}`)
	copied.Refused(404, "GET", "/api/v1/namespaces/default/configmaps/mine", "")
	if message := copied.Refused(403, "POST", "/rowlock/v1/forks", `{"name":"nested"}`); !strings.Contains(message, "has no forks of its own") {
		t.Errorf("a fork of a fork is refused with: %s", message)
	}
}

// TestFork_OfThePast: a fork begins with the objects at a revision, and its controllers find out by
// themselves what to do.
func TestFork_OfThePast(t *testing.T) {
	t.Parallel()
	source, _ := forkSite(t)
	source.Populate()
	past := map[string]string{}
	var list struct {
		Metadata struct{ ResourceVersion string }
	}
	source.Get("/api/v1/pods", &list)
	for path := range source.Everything() {
		past[path] = ""
	}
	then := source.Everything()
	log := "/api/v1/namespaces/default/pods/" + source.PodOf("count") + "/log"
	source.Advance("3m")
	source.Do("DELETE", "/apis/apps/v1/namespaces/default/deployments/web", "")
	source.Advance("1m")

	copied := source.Fork("past", `,"at":`+list.Metadata.ResourceVersion+`,"clock":"paused"`)
	got := copied.Everything()
	for path := range past {
		if strings.HasPrefix(path, "events") || strings.Contains(path, "pods") || strings.Contains(path, "jobs") {
			continue // another sync repeats its Events
		}
		if then[path] != got[path] && !strings.Contains(path, "deployments") && !strings.Contains(path, "replicasets") {
			t.Errorf("%s of the past differs:\n%s\nnot\n%s", path, got[path], then[path])
		}
	}
	copied.Advance("4m")
	source.Refused(404, "GET", "/apis/apps/v1/namespaces/default/deployments/web", "")
	var job struct{ Status struct{ Succeeded int } }
	copied.Get("/apis/batch/v1/namespaces/default/jobs/count", &job)
	if job.Status.Succeeded != 1 {
		t.Errorf("the Job of the past has succeeded %d times", job.Status.Succeeded)
	}
	if got, want := string(copied.Do("GET", log, "")), string(source.Do("GET", log, "")); got != want {
		t.Errorf("the program wrote\n%s\nand not\n%s", got, want)
	}
	source.Refused(422, "POST", "/rowlock/v1/forks", `{"name":"future","at":99999999}`)
	source.Refused(404, "GET", "/forks/future/api/v1/pods", "")
}

// TestFork_TwoReplicas: two replicas serve one fork; when it is removed, both close it and its
// watches end.
func TestFork_TwoReplicas(t *testing.T) {
	t.Parallel()
	first, database := forkSite(t)
	second := clustertest.Open(t, database)
	one := first.Fork("shared", "")
	two := second.At("/forks/shared")
	for i := range 20 {
		writer, reader := one, two
		if i%2 == 1 {
			writer, reader = two, one
		}
		writer.Do("POST", "/api/v1/namespaces/default/configmaps", fmt.Sprintf(`{"metadata":{"name":"note-%d"}}`, i))
		reader.Do("GET", fmt.Sprintf("/api/v1/namespaces/default/configmaps/note-%d", i), "")
	}
	ended := make(chan error, 2)
	for _, s := range []*clustertest.Site{one, two} {
		lines := s.Watch("/api/v1/configmaps")
		lines.Scan() // it has begun
		go func() {
			for lines.Scan() {
			}
			ended <- lines.Err()
		}()
	}
	first.Do("DELETE", "/rowlock/v1/forks/shared", "")
	for range 2 {
		select {
		case <-ended: //nolint:errcheck // however they end
		case <-time.After(time.Minute):
			t.Fatal("a watch of a fork that is gone goes on")
		}
	}
	for what, s := range map[string]*clustertest.Site{"the replica that removed it": first, "the other": second} {
		s.Until(what, func() bool {
			code, _ := s.Try("GET", "/forks/shared/api/v1/pods", "")
			return code == http.StatusNotFound
		})
		s.Until(what+" lists it no more", func() bool {
			return strings.Contains(string(s.Do("GET", "/rowlock/v1/forks", "")), `"items": []`)
		})
	}
	first.Until("its database goes", func() bool { return databases(t, database) == 0 })
}

// databases returns how many fork databases exist for a cluster.
func databases(t testing.TB, database string) (n int) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), database)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background()) //nolint:errcheck // it was only read
	err = conn.QueryRow(t.Context(), "SELECT count(*) FROM pg_database WHERE datname LIKE replace(left(current_database(), 20) || '_fork_%', '_', '\\_')").Scan(&n)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// TestFork_LastsAsLongAsItIsTo: it survives the end of the process, the next process finds it, and
// it is removed when it expires.
func TestFork_LastsAsLongAsItIsTo(t *testing.T) {
	t.Parallel()
	first, database := forkSite(t)
	first.Do("POST", "/rowlock/v1/forks", `{"name":"kept"}`)
	first.At("/forks/kept").Do("POST", "/api/v1/namespaces/default/configmaps", `{"metadata":{"name":"note"}}`)
	first.Close()
	second := clustertest.Open(t, database)
	second.At("/forks/kept").Do("GET", "/api/v1/namespaces/default/configmaps/note", "")
	if message := second.Refused(409, "POST", "/rowlock/v1/forks", `{"name":"kept"}`); !strings.Contains(message, "there is a fork of that name") {
		t.Errorf("a second fork of the name is refused with: %s", message)
	}
	second.Do("POST", "/rowlock/v1/forks", `{"name":"brief","ttl":"1s"}`)
	second.Do("POST", "/rowlock/v1/forks", `{"name":"gone-when-it-is-made","ttl":"1ms"}`)
	left := func(n int) func() bool {
		return func() bool {
			var list v1.ForkList
			second.Get(v1.ForksPath, &list)
			return len(list.Items) == n
		}
	}
	second.Until("its end", left(1))
	second.Refused(404, "GET", "/forks/brief/api/v1/pods", "")
	second.Do("DELETE", "/rowlock/v1/forks/kept", "")
	second.Until("the end of the one that was kept", left(0))
	second.Refused(404, "DELETE", "/rowlock/v1/forks/kept", "")
}

// TestFork_AMakerThatDiesLeavesNothing: the next process removes what it began.
func TestFork_AMakerThatDiesLeavesNothing(t *testing.T) {
	t.Parallel()
	first, database := forkSite(t)
	first.Close()
	conn, err := pgx.Connect(t.Context(), database)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background()) //nolint:errcheck // it is the test's own
	name := fmt.Sprintf("left_%x", time.Now().UnixNano())
	if err := pg.CreateDatabaseIn(t.Context(), conn, name, "template0", pg.AsFiles); err != nil {
		t.Fatal(err)
	}
	for state, database := range map[string]string{"making": name, "removing": name + "_never_made"} {
		_, err := conn.Exec(t.Context(), "INSERT INTO forks (id, name, state, database, origin, revision) VALUES (gen_random_uuid(), $1, $1, $2, '', 0)", state, database)
		if err != nil {
			t.Fatal(err)
		}
	}
	second := clustertest.Open(t, database)
	second.Refused(404, "GET", "/forks/making/api/v1/pods", "")
	second.Until("the end of what is left", func() bool {
		var list v1.ForkList
		second.Get(v1.ForksPath, &list)
		return len(list.Items) == 0
	})
	var there bool
	if err := conn.QueryRow(t.Context(), "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)", name).Scan(&there); err != nil || there {
		t.Errorf("the database is there: %v, %v", there, err)
	}
}

// TestFork_WithoutThePrivilege: the error names the missing privilege, and nothing is left behind.
func TestFork_WithoutThePrivilege(t *testing.T) {
	t.Parallel()
	database := pgtest.NewURL(t)
	conn, err := pgx.Connect(t.Context(), database)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background()) //nolint:errcheck // it is the test's own
	role := fmt.Sprintf("humble_%x", time.Now().UnixNano())
	for _, statement := range []string{
		"CREATE ROLE " + role + " NOCREATEDB NOSUPERUSER",
		"GRANT ALL ON ALL TABLES IN SCHEMA public TO " + role, "GRANT ALL ON ALL SEQUENCES IN SCHEMA public TO " + role,
		"GRANT MAINTAIN ON ALL TABLES IN SCHEMA public TO " + role,
	} {
		if _, err := conn.Exec(t.Context(), statement); err != nil && !strings.Contains(statement, "MAINTAIN") { // since PostgreSQL 17
			t.Fatal(err)
		}
	}
	t.Cleanup(func() {
		conn, err := pgx.Connect(context.Background(), database)
		if err != nil {
			t.Error(err)
			return
		}
		defer conn.Close(context.Background()) //nolint:errcheck // it is the test's own
		for _, statement := range []string{"DROP OWNED BY " + role, "DROP ROLE " + role} {
			if _, err := conn.Exec(context.Background(), statement); err != nil {
				t.Error(err)
			}
		}
	})
	separator := "?"
	if strings.Contains(database, "?") {
		separator = "&"
	}
	s := clustertest.Open(t, database+separator+"options=-c%20role%3D"+role)
	message := s.Refused(403, "POST", "/rowlock/v1/forks", `{"name":"no"}`)
	if !strings.Contains(message, "CREATEDB") || !strings.Contains(message, "permission denied") {
		t.Errorf("it is refused with: %s", message)
	}
	if text := string(s.Do("GET", "/rowlock/v1/forks", "")); !strings.Contains(text, `"items": []`) {
		t.Errorf("there are %s", text)
	}
}

// TestFork_Abandoned: a fork whose client goes away while it is made exists completely, or not at
// all. It may appear after the next one was requested.
func TestFork_Abandoned(t *testing.T) {
	t.Parallel()
	s, database := forkSite(t)
	s.Populate()
	want := s.Contents()
	judged := func() bool {
		var list v1.ForkList
		s.Get(v1.ForksPath, &list)
		for _, f := range list.Items {
			if f.State != v1.ForkReady {
				continue
			}
			if got := s.At("/forks/" + f.Name).Contents(); got != want {
				t.Errorf("the fork %s has\n%s\nnot\n%s", f.Name, got, want)
			}
			s.Do("DELETE", "/rowlock/v1/forks/"+f.Name, "")
		}
		return len(list.Items) == 0
	}
	for i := range 5 {
		s.Abandon(time.Duration(rand.Int64N(int64(300*time.Millisecond))), "POST", "/rowlock/v1/forks", fmt.Sprintf(`{"name":"try-%d"}`, i))
		s.Until("the end of the fork", judged)
	}
	s.Until("the end of all databases", func() bool { return judged() && databases(t, database) == 0 })
}
