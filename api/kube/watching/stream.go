package watching

import (
	"encoding/json"
	"errors"
	"net/http"
	"strings"
	"time"
	"weak"

	"google.golang.org/protobuf/encoding/protowire"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/watch"

	"github.com/rowlock/rowlock/api/kube/collection"
	"github.com/rowlock/rowlock/api/kube/render"
	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
)

// errGone says that the client has hung up or that the watch's time is over: there is nobody to
// tell.
var errGone = errors.New("the watch is over")

// largeFrameBytes is from which size on an object is sent without being copied: all watches
// share its bytes.
const largeFrameBytes = 16 << 10

// Stream writes the frames of one watch, each a line of JSON, {"type":"ADDED","object":{…}}, or the
// same as protobuf behind its length.
type Stream struct {
	r   *render.Resource
	req *http.Request
	rep wire.Representation
	w   http.ResponseWriter
	ctl *http.ResponseController
	buf []byte
	// socket is what the frames are sent through, rather than as the answer's body; nil for none.
	socket *socket
	media  string
	by     *Sender
	rows   render.TableOptions // for tables: what a row carries, and whether the columns have been sent
}

// Sender is what all streams of a server have in common. It is shared by all of them.
type Sender struct {
	// BookmarkEvery is the real time between bookmarks, SlowAfter how long a client may take to
	// accept a piece before it is cut off.
	BookmarkEvery, SlowAfter time.Duration

	frames frames
}

// NewStream makes the stream of a request. It fails if the options of the representation are wrong.
func (b *Sender) NewStream(r *render.Resource, w http.ResponseWriter, req *http.Request, rep wire.Representation) (*Stream, error) {
	s := &Stream{r: r, req: req, rep: rep, w: w, ctl: http.NewResponseController(w), by: b}
	if rep.As == "Table" {
		var err error
		if s.rows, err = render.ReadTableOptions(req); err != nil {
			return nil, err
		}
	}
	media := rep.ContentType()
	switch rep.Encoding {
	case wire.JSON:
	case wire.YAML:
		return nil, wire.NotAcceptable("only the following media types are accepted: " + strings.Join(wire.StreamedTypes, ", "))
	case wire.Protobuf:
		media += wire.Watched
	}
	s.media = media
	return s, nil
}

// open begins the response.
func (s *Stream) open() {
	h := s.w.Header()
	h["Content-Type"], h["Cache-Control"] = []string{s.media}, wire.NoStore
	s.w.WriteHeader(http.StatusOK)
}

// flush sends what has been gathered. A client that does not take it in time is cut off.
func (s *Stream) flush() error {
	// A writer without deadlines, as in tests, is one that never blocks.
	_ = s.ctl.SetWriteDeadline(time.Now().Add(s.by.SlowAfter))
	if err := s.write(); err != nil {
		return errors.Join(errGone, err)
	}
	// HTTP/2 ends a stream at its deadline although nothing is being written.
	_ = s.ctl.SetWriteDeadline(time.Time{})
	return nil
}

// through sends what has been gathered and then bytes that are shared and not copied. What follows
// them is gathered again.
func (s *Stream) through(shared []byte) error {
	_ = s.ctl.SetWriteDeadline(time.Now().Add(s.by.SlowAfter)) // as in flush, which lifts it
	_, err := s.w.Write(s.buf)
	s.buf = s.buf[:0]
	if err == nil {
		_, err = s.w.Write(shared)
	}
	if err != nil {
		return errors.Join(errGone, err)
	}
	return nil
}

func (s *Stream) write() (err error) {
	switch {
	case len(s.buf) == 0:
	case s.socket != nil:
		err = s.socket.send(s.buf, s.rep.Encoding)
	default:
		_, err = s.w.Write(s.buf)
	}
	if s.buf = s.buf[:0]; cap(s.buf) > 2*wire.StreamBytes {
		s.buf = nil
	}
	if err != nil || s.socket != nil {
		return err
	}
	return s.ctl.Flush()
}

// gather flushes when enough has come together; a websocket takes each frame for itself.
func (s *Stream) gather() error {
	if len(s.buf) < wire.StreamBytes && s.socket == nil {
		return nil
	}
	return s.flush()
}

// sendInitial sends an ADDED for every selected object of the snapshot.
func (s *Stream) sendInitial(snap collection.Snapshot, sel collection.Selection) (err error) {
	snap.Ascend(object.Key{}, func(v *object.Version) bool {
		if sel.Matches(v) {
			err = s.send(watch.Added, v, v)
		}
		return err == nil
	})
	return err
}

// sendEvent sends a change as the selection sees it: an object that comes to match is added, one
// that no longer does is deleted, with its last matching state at the revision of the change.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/storage/cacher/cache_watcher.go, convertToWatchEvent
func (s *Stream) sendEvent(e mirror.Event, sel collection.Selection) error {
	is := e.New.Verb != object.Deleted && sel.Matches(e.New)
	was := e.Old != nil && sel.Matches(e.Old)
	switch {
	case is && was:
		return s.send(watch.Modified, e.New, e.New)
	case is:
		return s.send(watch.Added, e.New, e.New)
	case was && e.New.Verb == object.Deleted && e.New.Size() > 0:
		return s.send(watch.Deleted, e.New, e.New)
	case was: // also a tombstone that leaves the last state to the version before it
		last := &object.Version{
			Type: e.Old.Type, Namespace: e.Old.Namespace, Name: e.Old.Name, UID: e.Old.UID,
			Revision: e.New.Revision, Verb: object.Deleted, At: e.New.At,
		}
		last.Succeed(e.Old)
		return s.send(watch.Deleted, last, e.Old)
	}
	return nil
}

// send gathers one frame about a version. source is the version whose body it has.
func (s *Stream) send(what watch.EventType, v, source *object.Version) (err error) {
	switch {
	case s.rep.As == "Table":
		s.begin(what)
		s.buf, err = s.r.AppendTableRow(s.buf, s.rep, &s.rows, v)
		s.buf = append(s.buf, "}\n"...)
	case s.rep.As == "" && s.rep.Encoding == wire.JSON && s.r.AsStored(v):
		s.begin(what)
		if !s.rep.Bare && v.Revision != 0 && v.Size() > largeFrameBytes && s.socket == nil {
			var rest []byte
			s.buf, rest = v.SplitJSON(s.buf)
			if err := s.through(rest); err != nil {
				return err
			}
			s.buf = append(s.buf, "}\n"...)
			return nil
		}
		s.buf, err = s.r.AppendObject(s.buf, s.rep, v)
		s.buf = append(s.buf, "}\n"...)
	default:
		var doc []byte
		if doc, err = s.document(v, source); err == nil {
			err = s.append(what, doc)
		}
	}
	if err != nil {
		return err
	}
	return s.gather()
}

func (s *Stream) begin(what watch.EventType) {
	s.buf = append(s.buf, `{"type":"`...)
	s.buf = append(s.buf, what...)
	s.buf = append(s.buf, `","object":`...)
}

// sendBookmark tells the client up to which revision it has seen everything. The first bookmark
// behind the initial events says so.
func (s *Stream) sendBookmark(rev object.Revision, endOfInitial bool) error {
	o := s.r.Kind.New()
	o.GetObjectKind().SetGroupVersionKind(s.r.Kind.GroupVersionKind())
	o.SetResourceVersion(rev.ResourceVersion())
	if endOfInitial {
		o.SetAnnotations(map[string]string{metav1.InitialEventsAnnotationKey: "true"})
	}
	var doc []byte
	var err error
	switch s.rep.As {
	case "":
		doc, err = s.encode(o)
	case "Table":
		doc, err = s.r.TableBookmark(s.rep, &s.rows, o)
	default:
		doc, err = s.encode(render.Partial(o, s.rep))
	}
	if err != nil {
		return err
	}
	return s.append(watch.Bookmark, doc)
}

// encode is an object that is no version of anything, in the encoding of the watch.
func (s *Stream) encode(o any) ([]byte, error) {
	if s.rep.Encoding == wire.Protobuf {
		return wire.AppendProtobuf(nil, o)
	}
	return json.Marshal(o)
}

// sendStatus ends the stream with an ERROR frame.
func (s *Stream) sendStatus(status *metav1.Status) error {
	doc, err := s.encode(status)
	if err != nil {
		return err
	}
	if err := s.append(watch.Error, doc); err != nil {
		return err
	}
	return s.flush()
}

// document is the encoding of a version for a watch. source is the version that holds the body.
func (s *Stream) document(v, source *object.Version) ([]byte, error) {
	key := frameKey{weak.Make(source), v.Revision, s.r.Kind, s.rep.Encoding, s.rep.As, s.rep.Version, s.rep.Bare}
	return s.by.frames.get(key, v.Size(), func() ([]byte, error) { return s.r.AppendVersion(nil, s.rep, v) })
}

// append puts the document of an object into a frame: a line of JSON, or the length and message of
// a metav1.WatchEvent.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apimachinery/pkg/util/framer/framer.go, NewLengthDelimitedFrameWriter
// A large document, which other watches share, is not copied.
func (s *Stream) append(what watch.EventType, doc []byte) error {
	if s.rep.Encoding != wire.Protobuf {
		s.begin(what)
		err := s.add(doc)
		s.buf = append(s.buf, "}\n"...)
		return err
	}
	raw := wire.FieldSize(len(doc)) // a RawExtension with its one field
	size := wire.FieldSize(len(what)) + wire.FieldSize(raw)
	s.buf = append(s.buf, byte(size>>24), byte(size>>16), byte(size>>8), byte(size))
	s.buf = protowire.AppendString(append(s.buf, wire.Tag1), string(what))
	s.buf = protowire.AppendVarint(append(s.buf, wire.Tag2), uint64(raw))
	s.buf = protowire.AppendVarint(append(s.buf, wire.Tag1), uint64(len(doc)))
	return s.add(doc)
}

func (s *Stream) add(doc []byte) error {
	if len(doc) > largeFrameBytes && s.socket == nil {
		return s.through(doc)
	}
	s.buf = append(s.buf, doc...)
	return nil
}
