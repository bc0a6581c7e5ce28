package control

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"time"
)

// changeStream is an answer of JSON lines about changes of the log or the clock, with empty lines
// while nothing changes.
type changeStream struct {
	w         http.ResponseWriter
	ctl       *http.ResponseController
	heartbeat time.Duration
}

// heartbeat is the longest silence of a stream, in real time, so that no proxy considers it dead.
// Watches send bookmarks at the same interval.
const heartbeat = time.Minute

// slowAfter is how long a client may take to accept a part of a stream before the server cuts it
// off.
const slowAfter = time.Minute

// errClientGone reports that the client does not accept data.
var errClientGone = errors.New("the client has disconnected")

// stream starts an answer that is sent line by line.
func (s *Server) stream(w http.ResponseWriter) changeStream {
	h := w.Header()
	h.Set("Content-Type", "application/json")
	h.Set("Cache-Control", "no-cache, private")
	w.WriteHeader(http.StatusOK)
	return changeStream{w, http.NewResponseController(w), s.Heartbeat}
}

// send sends lines together. It cuts off a client that does not accept them in time.
func (o changeStream) send(lines []byte) error {
	_ = o.ctl.SetWriteDeadline(time.Now().Add(slowAfter)) // a writer without deadlines, as in tests, does not block
	if _, err := o.w.Write(lines); err != nil {
		return fmt.Errorf("%w: %w", errClientGone, err)
	}
	if err := o.ctl.Flush(); err != nil {
		return fmt.Errorf("%w: %w", errClientGone, err)
	}
	_ = o.ctl.SetWriteDeadline(time.Time{}) // HTTP/2 would end an idle stream at the deadline
	return nil
}

func marshal(v any) []byte {
	doc, err := json.Marshal(v)
	if err != nil {
		panic(err) // cannot happen: these types always encode
	}
	return doc
}
