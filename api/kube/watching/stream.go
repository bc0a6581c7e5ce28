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

// errGone reports that the client has disconnected or that the watch has reached its timeout, so no
// error is sent.
var errGone = errors.New("the watch is over")

// largeFrameBytes is the size from which an object is sent without copying it: all watches share
// its bytes.
const largeFrameBytes = 16 << 10

// Stream writes the frames of one watch: lines of JSON, {"type":"ADDED","object":{…}}, or protobuf
// messages with a length prefix.
type Stream struct {
	r   *render.Resource
	req *http.Request
	rep wire.Representation
	w   http.ResponseWriter
	ctl *http.ResponseController
	buf []byte
	// socket, if not nil, receives the frames instead of the answer's body.
	socket *socket
	media  string
	by     *Sender
	rows   render.TableOptions // for tables: what rows include, and whether the columns have been sent
}

// Sender is what all streams of a server have in common. It is shared by all of them.
type Sender struct {
	// BookmarkEvery is the real time between bookmarks, SlowAfter how long a client may take to
	// accept a piece before it is cut off.
	BookmarkEvery, SlowAfter time.Duration

	frames frames
}

// NewStream returns a stream. It fails if the options of the representation are invalid.
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

// open starts the response.
func (s *Stream) open() {
	h := s.w.Header()
	h["Content-Type"], h["Cache-Control"] = []string{s.media}, wire.NoStore
	s.w.WriteHeader(http.StatusOK)
}

// flush sends the buffer. A client that does not accept it in time is cut off.
func (s *Stream) flush() error {
	// A writer without deadlines, as in tests, does not block.
	_ = s.ctl.SetWriteDeadline(time.Now().Add(s.by.SlowAfter))
	if err := s.write(); err != nil {
		return errors.Join(errGone, err)
	}
	// HTTP/2 would end an idle stream at the deadline.
	_ = s.ctl.SetWriteDeadline(time.Time{})
	return nil
}

// through sends the buffer and then shared bytes, without copying them. Later frames are buffered
// again.
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

// gather flushes if the buffer is large enough; a websocket sends each frame separately.
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

// sendEvent sends a change as seen through the selection: an object that starts to match is added;
// one that stops to match is deleted, with its last matching state and the revision of the change.
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
	case was: // also a tombstone whose last state is in the version before it
		last := &object.Version{
			Type: e.Old.Type, Namespace: e.Old.Namespace, Name: e.Old.Name, UID: e.Old.UID,
			Revision: e.New.Revision, Verb: object.Deleted, At: e.New.At,
		}
		last.Succeed(e.Old)
		return s.send(watch.Deleted, last, e.Old)
	}
	return nil
}

// send buffers one frame about a version. source is the version that holds the body.
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

// sendBookmark tells the client up to which revision it has received everything. The first bookmark
// after the initial events is marked.
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

// encode encodes an object that is not a version, in the encoding of the watch.
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

// document returns the encoding of a version for a watch. source is the version that holds the
// body.
func (s *Stream) document(v, source *object.Version) ([]byte, error) {
	key := frameKey{weak.Make(source), v.Revision, s.r.Kind, s.rep.Encoding, s.rep.As, s.rep.Version, s.rep.Bare}
	return s.by.frames.get(key, v.Size(), func() ([]byte, error) { return s.r.AppendVersion(nil, s.rep, v) })
}

// append adds an object's document to the frame: as a line of JSON, or as length and message of a
// metav1.WatchEvent.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apimachinery/pkg/util/framer/framer.go, NewLengthDelimitedFrameWriter
//
// It does not copy a large document, which other watches share.
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
