package cluster_test

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/cluster"
	"github.com/rowlock/rowlock/internal/cluster/clustertest"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
	"github.com/rowlock/rowlock/internal/pg/server"
)

// configMaps is the path that the tests write to.
const (
	configMaps = "/api/v1/namespaces/default/configmaps"
	forks      = "/rowlock/v1/forks"
)

// TestRestore_ClientsOfBeforeGet410: a backup by pg_dump is restored into another database while
// the history continues. Clients that know revisions of the lost end, or from before the backup,
// get 410 and never a wrong answer; no revision is assigned twice; only the first start begins a
// new history; and forks stay with the original.
func TestRestore_ClientsOfBeforeGet410(t *testing.T) {
	t.Parallel()
	database := pgtest.NewURL(t)
	a := clustertest.Open(t, database)
	a.Until("the namespace has its own ConfigMap", func() bool { names, _ := listConfigMaps(a); return names != "" })
	kept := createConfigMap(a, "kept")
	a.Do("POST", forks, `{"name":"original"}`)
	backup := pgDump(t, database)
	lost := kept
	for _, name := range []string{"lost-a", "lost-b", "lost-c"} {
		lost = createConfigMap(a, name)
	}
	a.Close()

	restored := pgtest.NewFromDump(t, backup)
	b := clustertest.Open(t, restored)
	for _, known := range []int64{1, kept, kept + 1, lost} {
		at := strconv.FormatInt(known, 10)
		b.Refused(410, "GET", configMaps+"?resourceVersionMatch=Exact&resourceVersion="+at, "")
		if code, body := b.Try("GET", configMaps+"?watch=true&timeoutSeconds=5&resourceVersion="+at, ""); code != 200 || !strings.Contains(string(body), `"code":410`) {
			t.Errorf("a watch from revision %d is answered with %d and %.200s", known, code, body)
		}
	}
	if got, newest := listConfigMaps(b); got != "kept kube-root-ca.crt" || newest < lost+900_000_000 {
		t.Errorf("the restored cluster has %s at revision %d; the lost one was at %d", got, newest, lost)
	}
	b.Refused(404, "DELETE", forks+"/original", "")
	if next := createConfigMap(b, "next"); next < lost+900_000_000 {
		t.Errorf("revision %d was given after %d was known to clients", next, lost)
	}
	if b.Get(configMaps+"/kept?resourceVersion="+strconv.FormatInt(lost, 10), &struct{}{}); t.Failed() {
		t.Fatal("a read that is not older than a lost revision")
	}
	_, before := listConfigMaps(b)
	b.Close()

	if _, again := listConfigMaps(clustertest.Open(t, restored)); again < before || again > before+1000 {
		t.Errorf("another start went from revision %d to %d", before, again)
	}
	original := clustertest.Open(t, database)
	if got, newest := listConfigMaps(original); got != "kept kube-root-ca.crt lost-a lost-b lost-c" || newest > lost+1000 {
		t.Errorf("the database of before has %s at revision %d", got, newest)
	}
	original.Do("GET", "/forks/original"+configMaps+"/kept", "")
	original.Do("DELETE", forks+"/original", "")
}

// TestRestore_WhileReplicasRun: the server fails over to a standby, as the timeline shows, which
// may lack the last commits. The replicas notice when their connections are made again, and end
// their watches.
func TestRestore_WhileReplicasRun(t *testing.T) {
	t.Parallel()
	database := pgtest.NewURL(t)
	s := clustertest.Open(t, database)
	known := createConfigMap(s, "kept")
	pool := clustertest.Pool(t, database)
	watched := make(chan string, 1)
	go func() {
		_, body := s.Try("GET", configMaps+"?watch=true&timeoutSeconds=100&resourceVersion="+strconv.FormatInt(known, 10), "")
		watched <- string(body)
	}()
	for _, statement := range []string{
		"UPDATE lineage SET identity = left(identity, -8) || '0000000F'",
		"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()",
	} {
		if _, err := pool.Exec(t.Context(), statement); err != nil {
			t.Fatal(err)
		}
	}
	// It may have been read while the mirror loaded again, or have ended because the database was
	// unreachable for long.
	if body := <-watched; body != "" && !strings.Contains(body, `"code":410`) && !strings.Contains(body, `"code":503`) {
		t.Errorf("the watch of before ended with %q", body)
	}
	s.Until("revisions of before are refused", func() bool {
		code, _ := s.Try("GET", configMaps+"?resourceVersionMatch=Exact&resourceVersion="+strconv.FormatInt(known, 10), "")
		return code == 410
	})
	s.Until("the replica serves again", func() bool {
		code, _ := s.Try("GET", configMaps, "")
		return code == 200
	})
	if _, newest := listConfigMaps(s); newest < known+900_000_000 {
		t.Errorf("after the failover the list is at revision %d, and clients know %d", newest, known)
	}
}

// TestRestored_Command: the command announces a restore that Rowlock cannot detect, before replicas
// start and while they run.
func TestRestored_Command(t *testing.T) {
	t.Parallel()
	database := pgtest.NewURL(t)
	first, err := cluster.Restored(t.Context(), database)
	if err != nil || first < 1_000_000_000 {
		t.Fatalf("an empty database begins anew with %d, %v", first, err)
	}
	s := clustertest.Open(t, database)
	known := createConfigMap(s, "kept")
	second, err := cluster.Restored(t.Context(), database)
	if err != nil || int64(second) < known+900_000_000 {
		t.Fatalf("after revision %d the history begins anew with %d, %v", known, second, err)
	}
	s.Until("the replica has loaded again", func() bool { // meanwhile it returns 503
		code, _ := s.Try("GET", configMaps+"?resourceVersionMatch=Exact&resourceVersion="+strconv.FormatInt(known, 10), "")
		return code == 410
	})
	s.Until("the replica serves again", func() bool {
		code, _ := s.Try("GET", configMaps, "")
		return code == 200
	})
	if next := createConfigMap(s, "next"); next <= int64(second) {
		t.Errorf("revision %d was given after %d", next, second)
	}
}

// createConfigMap makes one and returns its revision.
func createConfigMap(s *clustertest.Site, name string) int64 {
	s.T.Helper()
	var made struct{ Metadata metav1.ObjectMeta }
	if err := json.Unmarshal(s.Do("POST", configMaps, `{"metadata":{"name":"`+name+`"}}`), &made); err != nil {
		s.T.Fatal(err)
	}
	return number(s.T, made.Metadata.ResourceVersion)
}

// listConfigMaps returns the names of those in the namespace default, and the revision of the list.
func listConfigMaps(s *clustertest.Site) (names string, newest int64) {
	s.T.Helper()
	var list metav1.PartialObjectMetadataList
	s.Get(configMaps, &list)
	var all []string
	for _, item := range list.Items {
		all = append(all, item.Name)
	}
	return strings.Join(all, " "), number(s.T, list.ResourceVersion)
}

func number(t testing.TB, text string) int64 {
	t.Helper()
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// pgDump returns a database as pg_dump writes it, in statements that any client can send.
func pgDump(t *testing.T, database string) string {
	t.Helper()
	programs, err := server.Find("", 0)
	if err != nil {
		t.Fatal(err)
	}
	dump := exec.Command(filepath.Join(programs.Dir, "pg_dump"), "--no-owner", "--no-privileges", "--inserts", database)
	out, err := dump.Output()
	if err != nil {
		t.Fatalf("pg_dump: %v", err)
	}
	var statements []string
	for line := range strings.Lines(string(out)) {
		if !strings.HasPrefix(line, `\`) { // psql's own
			statements = append(statements, line)
		}
	}
	return strings.Join(statements, "")
}
