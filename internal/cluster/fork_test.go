package cluster_test

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/internal/pg"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

// fork makes a fork and removes it when the test ends.
func (s *site) fork(name, more string) *site {
	s.t.Helper()
	s.do("POST", "/rowlock/v1/forks", `{"name":"`+name+`"`+more+`}`)
	s.t.Cleanup(func() { s.try("DELETE", "/rowlock/v1/forks/"+name, "") })
	return s.at("/forks/" + name)
}

// forkSite is a site that closes after the forks that were made through it are removed.
func forkSite(t testing.TB) (s *site, database string) {
	t.Helper()
	database = pgtest.NewURL(t)
	return openSite(t, database), database
}

// TestFork_IsTheClusterAndGoesItsOwnWay: a fork equals the cluster at first, and then diverges.
func TestFork_IsTheClusterAndGoesItsOwnWay(t *testing.T) {
	t.Parallel()
	source, _ := forkSite(t)
	source.populate()
	want := source.everything()
	copied := source.fork("what-if", "")
	same(t, "the fork", want, copied.everything())
	copied.advance("0s")
	same(t, "the fork, when all was done that was due", want, copied.everything())

	log := "/api/v1/namespaces/default/pods/" + source.podOf("count") + "/log"
	copied.advance("6m")
	same(t, "the cluster, after time has passed in the fork", want, source.everything())
	source.advance("6m")
	if got, want := string(copied.do("GET", log, "")), string(source.do("GET", log, "")); got != want {
		t.Errorf("the program wrote\n%s\nand not\n%s", got, want)
	}
	copied.do("DELETE", "/apis/apps/v1/namespaces/default/deployments/web", "")
	source.do("GET", "/apis/apps/v1/namespaces/default/deployments/web", "")
	source.do("POST", "/api/v1/namespaces/default/configmaps", `{"metadata":{"name":"mine"}}`)
	copied.refused(404, "GET", "/api/v1/namespaces/default/configmaps/mine", "")
	if message := copied.refused(403, "POST", "/rowlock/v1/forks", `{"name":"nested"}`); !strings.Contains(message, "has no forks of its own") {
		t.Errorf("a fork of a fork is refused with: %s", message)
	}
}

// TestFork_OfThePast: a fork begins with the objects at a revision, and its controllers find out by
// themselves what to do.
func TestFork_OfThePast(t *testing.T) {
	t.Parallel()
	source, _ := forkSite(t)
	source.populate()
	past := map[string]string{}
	var list struct {
		Metadata struct{ ResourceVersion string }
	}
	source.get("/api/v1/pods", &list)
	for path := range source.everything() {
		past[path] = ""
	}
	then := source.everything()
	log := "/api/v1/namespaces/default/pods/" + source.podOf("count") + "/log"
	source.advance("3m")
	source.do("DELETE", "/apis/apps/v1/namespaces/default/deployments/web", "")
	source.advance("1m")

	copied := source.fork("past", `,"at":`+list.Metadata.ResourceVersion+`,"clock":"paused"`)
	got := copied.everything()
	for path := range past {
		if strings.HasPrefix(path, "events") || strings.Contains(path, "pods") || strings.Contains(path, "jobs") {
			continue // another sync repeats its Events
		}
		if then[path] != got[path] && !strings.Contains(path, "deployments") && !strings.Contains(path, "replicasets") {
			t.Errorf("%s of the past differs:\n%s\nnot\n%s", path, got[path], then[path])
		}
	}
	copied.advance("4m")
	source.refused(404, "GET", "/apis/apps/v1/namespaces/default/deployments/web", "")
	var job struct{ Status struct{ Succeeded int } }
	copied.get("/apis/batch/v1/namespaces/default/jobs/count", &job)
	if job.Status.Succeeded != 1 {
		t.Errorf("the Job of the past has succeeded %d times", job.Status.Succeeded)
	}
	if got, want := string(copied.do("GET", log, "")), string(source.do("GET", log, "")); got != want {
		t.Errorf("the program wrote\n%s\nand not\n%s", got, want)
	}
	source.refused(422, "POST", "/rowlock/v1/forks", `{"name":"future","at":99999999}`)
	source.refused(404, "GET", "/forks/future/api/v1/pods", "")
}

// TestFork_TwoReplicas: two replicas serve one fork; when it is removed, both close it and its
// watches end.
func TestFork_TwoReplicas(t *testing.T) {
	t.Parallel()
	first, database := forkSite(t)
	second := openSite(t, database)
	one := first.fork("shared", "")
	two := second.at("/forks/shared")
	for i := range 20 {
		writer, reader := one, two
		if i%2 == 1 {
			writer, reader = two, one
		}
		writer.do("POST", "/api/v1/namespaces/default/configmaps", fmt.Sprintf(`{"metadata":{"name":"note-%d"}}`, i))
		reader.do("GET", fmt.Sprintf("/api/v1/namespaces/default/configmaps/note-%d", i), "")
	}
	ended := make(chan error, 2)
	for _, s := range []*site{one, two} {
		lines := s.watch("/api/v1/configmaps")
		lines.Scan() // it has begun
		go func() {
			for lines.Scan() {
			}
			ended <- lines.Err()
		}()
	}
	first.do("DELETE", "/rowlock/v1/forks/shared", "")
	for range 2 {
		select {
		case <-ended: //nolint:errcheck // however they end
		case <-time.After(time.Minute):
			t.Fatal("a watch of a fork that is gone goes on")
		}
	}
	for what, s := range map[string]*site{"the replica that removed it": first, "the other": second} {
		s.until(what, func() bool {
			code, _ := s.try("GET", "/forks/shared/api/v1/pods", "")
			return code == http.StatusNotFound
		})
		s.until(what+" lists it no more", func() bool {
			return strings.Contains(string(s.do("GET", "/rowlock/v1/forks", "")), `"items": []`)
		})
	}
	first.until("its database goes", func() bool { return databases(t, database) == 0 })
}

// until waits patiently for a condition that no signal announces.
func (s *site) until(what string, done func() bool) {
	s.t.Helper()
	deadline := time.Now().Add(time.Minute)
	for !done() {
		if time.Now().After(deadline) {
			s.t.Fatalf("%s: it does not come to be", what)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// watch begins a watch and reads it by lines; it ends with the site. The path may have a query.
func (s *site) watch(path string) *bufio.Scanner {
	s.t.Helper()
	if strings.Contains(path, "?") {
		path += "&watch=true"
	} else {
		path += "?watch=true"
	}
	ctx, cancel := context.WithCancel(context.Background())
	req, err := http.NewRequestWithContext(ctx, "GET", s.url+path, nil)
	if err != nil {
		s.t.Fatal(err)
	}
	res, err := s.client.Do(req)
	if err != nil {
		s.t.Fatal(err)
	}
	s.t.Cleanup(func() { cancel(); _ = res.Body.Close() })
	lines := bufio.NewScanner(res.Body)
	lines.Buffer(nil, 1<<20)
	return lines
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
	first.do("POST", "/rowlock/v1/forks", `{"name":"kept"}`)
	first.at("/forks/kept").do("POST", "/api/v1/namespaces/default/configmaps", `{"metadata":{"name":"note"}}`)
	first.close()
	second := openSite(t, database)
	second.at("/forks/kept").do("GET", "/api/v1/namespaces/default/configmaps/note", "")
	if message := second.refused(409, "POST", "/rowlock/v1/forks", `{"name":"kept"}`); !strings.Contains(message, "there is a fork of that name") {
		t.Errorf("a second fork of the name is refused with: %s", message)
	}
	second.do("POST", "/rowlock/v1/forks", `{"name":"brief","ttl":"1s"}`)
	second.do("POST", "/rowlock/v1/forks", `{"name":"gone-when-it-is-made","ttl":"1ms"}`)
	left := func(n int) func() bool {
		return func() bool {
			var list v1.ForkList
			second.get(v1.ForksPath, &list)
			return len(list.Items) == n
		}
	}
	second.until("its end", left(1))
	second.refused(404, "GET", "/forks/brief/api/v1/pods", "")
	second.do("DELETE", "/rowlock/v1/forks/kept", "")
	second.until("the end of the one that was kept", left(0))
	second.refused(404, "DELETE", "/rowlock/v1/forks/kept", "")
}

// TestFork_AMakerThatDiesLeavesNothing: the next process removes what it began.
func TestFork_AMakerThatDiesLeavesNothing(t *testing.T) {
	t.Parallel()
	first, database := forkSite(t)
	first.close()
	conn, err := pgx.Connect(t.Context(), database)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background()) //nolint:errcheck // it is the test's own
	name := fmt.Sprintf("left_%x", time.Now().UnixNano())
	if err := pg.CreateDatabase(t.Context(), database, name, "template0", pg.AsFiles); err != nil {
		t.Fatal(err)
	}
	for state, database := range map[string]string{"making": name, "removing": name + "_never_made"} {
		_, err := conn.Exec(t.Context(), "INSERT INTO forks (id, name, state, database, origin, revision) VALUES (gen_random_uuid(), $1, $1, $2, '', 0)", state, database)
		if err != nil {
			t.Fatal(err)
		}
	}
	second := openSite(t, database)
	second.refused(404, "GET", "/forks/making/api/v1/pods", "")
	second.until("the end of what is left", func() bool {
		var list v1.ForkList
		second.get(v1.ForksPath, &list)
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
	s := openSite(t, database+separator+"options=-c%20role%3D"+role)
	message := s.refused(403, "POST", "/rowlock/v1/forks", `{"name":"no"}`)
	if !strings.Contains(message, "CREATEDB") || !strings.Contains(message, "permission denied") {
		t.Errorf("it is refused with: %s", message)
	}
	if text := string(s.do("GET", "/rowlock/v1/forks", "")); !strings.Contains(text, `"items": []`) {
		t.Errorf("there are %s", text)
	}
}
