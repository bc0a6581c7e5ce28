package scenario

import (
	"fmt"
	"log/slog"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/clock"
	"github.com/rowlock/rowlock/internal/cluster"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/pg/pgtest"
)

// start is the time at which every story begins.
var start = time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)

// world is the cluster of one story.
type world struct {
	t       *testing.T
	pool    *pgxpool.Pool
	cluster *cluster.Cluster
	url     string
	cache   string // of kubectl's discovery
	now     time.Time
	marks   map[string]int64
	hashes  map[string]string // of Pod templates, with their names in the story
	given   []string          // addresses of Pods, in the order of their first appearance in the log
}

// newWorld starts a cluster of three nodes whose clock is paused and whose workers do nothing by
// themselves.
func newWorld(t *testing.T) *world {
	t.Helper()
	w := &world{t: t, pool: pgtest.New(t), cache: t.TempDir(), now: start, marks: map[string]int64{"": 0}, hashes: map[string]string{}}
	story, err := clock.Open(t.Context(), w.pool)
	if err != nil {
		t.Fatal(err)
	}
	if err := story.Set(t.Context(), start); err != nil {
		t.Fatal(err)
	}
	w.cluster, err = cluster.Open(t.Context(), cluster.Config{
		DatabaseURL: w.pool.Config().ConnString(), Nodes: 3, Stepped: true, Draw: counted(),
		Log: slog.New(slog.NewTextHandler(t.Output(), &slog.HandlerOptions{Level: slog.LevelWarn})),
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, worker := range w.cluster.Workers() {
		worker.Real = func() (still time.Time) { return still } // no turn is cut short, however slow the machine is
	}
	server := httptest.NewServer(w.cluster.Handler())
	w.url = server.URL
	t.Cleanup(func() {
		server.CloseClientConnections() // kubectl keeps its own alive
		server.Close()
		w.cluster.Close()
	})
	w.settle(command{})
	w.marks["start"] = w.revision()
	return w
}

// counted draws uids and suffixes by counting.
func counted() engine.Draw {
	uids, suffixes := 0, 0
	return engine.Draw{
		UID: func() types.UID {
			uids++
			return types.UID(fmt.Sprintf("00000000-0000-4000-8000-%012d", uids))
		},
		Suffix: func() string {
			suffixes++
			return letters(suffixes)
		},
	}
}

// letters counts a, b, …, z, aa, ab, … from 1.
func letters(n int) string {
	var s string
	for ; n > 0; n = (n - 1) / 26 {
		s = string(rune('a'+(n-1)%26)) + s
	}
	return s
}

// told converts output to the form of stories: hashes by their number, columns three spaces apart,
// times of log lines to the second, because a story does not depend on the cost of a program's
// steps.
func (w *world) told(text string) string {
	w.nameHashes()
	w.numberAddresses()
	text = podAddresses.ReplaceAllStringFunc(w.named(text), w.numbered)
	text = fractions.ReplaceAllString(text, "${1}Z")
	text = gaps.ReplaceAllString(text, "$1   ")
	return strings.TrimRight(lineEnds.ReplaceAllString(text, ""), "\n")
}

var (
	podAddresses = regexp.MustCompile(`\b10\.128\.\d+\.\d+\b`)

	fractions = regexp.MustCompile(`(T\d\d:\d\d:\d\d)\.\d{9}Z`)
	gaps      = regexp.MustCompile(`(\S) {2,}`)
	lineEnds  = regexp.MustCompile(`(?m) +$`)
)

// named replaces the hashes of templates by their names, if they have one.
func (w *world) named(text string) string {
	for hash, name := range w.hashes {
		text = strings.ReplaceAll(text, hash, name)
	}
	return text
}

// nameHashes names new hashes of templates.
func (w *world) nameHashes() {
	for _, hashed := range []struct{ resource, label string }{
		{"replicasets.apps", "pod-template-hash"}, {"controllerrevisions.apps", "controller-revision-hash"},
	} {
		for _, v := range w.versions(0, hashed.resource) {
			hash := v.text("metadata.labels." + hashed.label)
			if hash != "" && w.hashes[hash] == "" {
				w.hashes[hash] = fmt.Sprintf("v%d", len(w.hashes)+1)
			}
		}
	}
}

// numberAddresses numbers the addresses of new Pods.
func (w *world) numberAddresses() {
	for _, v := range w.versions(0, "pods") {
		if ip := v.text("status.podIP"); ip != "" && !slices.Contains(w.given, ip) {
			w.given = append(w.given, ip)
		}
	}
}

// numbered returns the story's form of an address: the first one that a Pod got is 10.128.0.1, the
// next 10.128.0.2. The cluster itself skips numbers, because a plan that is made a second time
// draws new ones.
func (w *world) numbered(ip string) string {
	if at := slices.Index(w.given, ip); at >= 0 {
		return fmt.Sprintf("10.128.0.%d", at+1)
	}
	return ip
}

func (w *world) mark(c command) string {
	w.marks[c.words[0]] = w.revision()
	return ""
}

// revision returns the newest revision of the log.
func (w *world) revision() (revision int64) {
	w.t.Helper()
	if err := w.pool.QueryRow(w.t.Context(), "SELECT value FROM revision").Scan(&revision); err != nil {
		w.t.Fatal(err)
	}
	return revision
}

func TestLetters(t *testing.T) {
	t.Parallel()
	var got []string
	for _, n := range []int{1, 2, 26, 27, 52, 53, 702, 703} {
		got = append(got, letters(n))
	}
	if want := []string{"a", "b", "z", "aa", "az", "ba", "zz", "aaa"}; !slices.Equal(want, got) {
		t.Errorf("letters = %v, want %v", got, want)
	}
}
