// Package floor is a server that does as little as a server can for requests like Kubernetes', so
// that the figures of Rowlock can be compared with what HTTP, client-go, PostgreSQL and the machine
// take by themselves. It checks nothing, numbers nothing, speaks only protobuf, and forgets its
// objects when it ends.
package floor

import (
	"context"
	_ "embed"
	"encoding/binary"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/kubernetes/scheme"
)

var (
	//go:embed create.sql
	sqlCreate string
	//go:embed insert.sql
	sqlInsert string
)

// waiting bounds how many events wait for a slow watcher.
const waiting = 1000

// Serve answers requests until ctx ends, and calls ready with its URL when it can. It writes each
// object that is created into a table of the database as well. pods and size are the number of
// objects in its list of Pods, and the bytes of each.
func Serve(ctx context.Context, databaseURL string, pods, size int, ready func(url string)) error {
	pool, err := pgxpool.New(ctx, databaseURL)
	if err != nil {
		return err
	}
	defer pool.Close()
	if _, err := pool.Exec(ctx, sqlCreate); err != nil {
		return fmt.Errorf("create the table: %w", err)
	}
	s := &server{pool: pool, bodies: map[string][]byte{}, watchers: map[chan []byte]bool{}, pods: listOf(pods, size)}
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	web := http.Server{Handler: s.handler(), ReadHeaderTimeout: time.Minute}
	defer context.AfterFunc(ctx, func() { _ = web.Close() })()
	ready("http://" + listener.Addr().String())
	if err := web.Serve(listener); ctx.Err() == nil {
		return err
	}
	return nil
}

// listOf makes a list of this many objects of about this many bytes.
func listOf(n, size int) []byte {
	item := fmt.Sprintf(`{"metadata":{"name":"%s"}}`, strings.Repeat("x", size))
	return []byte(`{"kind":"PodList","apiVersion":"v1","items":[` + strings.TrimSuffix(strings.Repeat(item+",", n), ",") + "]}")
}

type server struct {
	pool *pgxpool.Pool
	pods []byte // the list

	mu       sync.RWMutex
	bodies   map[string][]byte // by name
	watchers map[chan []byte]bool
}

func (s *server) handler() http.Handler {
	const configMaps = "/api/v1/namespaces/{namespace}/configmaps"
	mux := http.NewServeMux()
	mux.HandleFunc("POST "+configMaps, s.create)
	mux.HandleFunc("GET "+configMaps+"/{name}", s.get)
	mux.HandleFunc("GET "+configMaps, s.watch)
	mux.HandleFunc("GET /api/v1/namespaces/{namespace}/pods", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, http.StatusOK, runtime.ContentTypeJSON, s.pods)
	})
	return mux
}

// answer sends a body. If the client has gone away there is nothing to do about it.
func answer(w http.ResponseWriter, code int, contentType string, body []byte) {
	w.Header().Set("Content-Type", contentType)
	w.WriteHeader(code)
	_, _ = w.Write(body)
}

func (s *server) create(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	var object corev1.ConfigMap
	if _, _, err := scheme.Codecs.UniversalDeserializer().Decode(body, nil, &object); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	if _, err := s.pool.Exec(r.Context(), sqlInsert, object.Name, body); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	event, err := frame(body)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	s.mu.Lock()
	s.bodies[object.Name] = body
	for watcher := range s.watchers {
		select {
		case watcher <- event:
		default: // it is too slow, and will not get this one
		}
	}
	s.mu.Unlock()
	answer(w, http.StatusCreated, runtime.ContentTypeProtobuf, body)
}

// frame makes a frame of a watch, of an object that has been created: its length and an event.
func frame(body []byte) ([]byte, error) {
	event, err := (&metav1.WatchEvent{Type: string(watch.Added), Object: runtime.RawExtension{Raw: body}}).Marshal()
	if err != nil {
		return nil, err
	}
	return append(binary.BigEndian.AppendUint32(nil, uint32(len(event))), event...), nil //nolint:gosec // a body has less than 4 GiB
}

func (s *server) get(w http.ResponseWriter, r *http.Request) {
	s.mu.RLock()
	body, ok := s.bodies[r.PathValue("name")]
	s.mu.RUnlock()
	if !ok {
		http.NotFound(w, r)
		return
	}
	answer(w, http.StatusOK, runtime.ContentTypeProtobuf, body)
}

func (s *server) watch(w http.ResponseWriter, r *http.Request) {
	events := make(chan []byte, waiting)
	s.mu.Lock()
	s.watchers[events] = true
	s.mu.Unlock()
	defer func() {
		s.mu.Lock()
		delete(s.watchers, events)
		s.mu.Unlock()
	}()
	answer(w, http.StatusOK, runtime.ContentTypeProtobuf+";stream=watch", nil)
	for out := http.NewResponseController(w); out.Flush() == nil; {
		select {
		case <-r.Context().Done():
			return
		case event := <-events:
			_, _ = w.Write(event) // Flush reports that it failed
		}
	}
}
