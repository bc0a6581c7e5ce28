package object

import (
	"bytes"
	stdjson "encoding/json"
	"fmt"
	"sync/atomic"
	"weak"

	"github.com/go-json-experiment/json"
	"k8s.io/apimachinery/pkg/types"
)

// Version is one committed version of one object, as one row of the log holds it. It is immutable
// and shared between goroutines; so is the Object it decodes to.
type Version struct {
	Type      *Type
	Namespace string
	Name      string
	UID       types.UID
	Revision  Revision
	At        Moment // of the commit

	body    atomic.Pointer[body]
	decoded atomic.Pointer[Object]
	marks   atomic.Uint32 // see Is; 0 if not determined yet

	Verb Verb

	// HotPosition is the version's position in the mirror's queue of bodies to pack; 0 if it is not
	// in it. Only the mirror uses it, under the lock of that queue.
	HotPosition uint32
}

// body is the object's JSON, plain or packed.
type body struct {
	bytes  []byte
	packed bool
}

// Body returns the object's JSON without a resourceVersion, beginning with Prefix(Type). It must
// not be changed. It is nil only for a tombstone, read from the log, whose last state is in the
// version before it.
func (v *Version) Body() []byte {
	b := v.body.Load()
	switch {
	case b == nil:
		return nil
	case b.packed:
		return unpack(nil, v.Type, b.bytes)
	}
	return b.bytes
}

// SetBody sets the body of a version that is not shared yet. The version keeps it.
func (v *Version) SetBody(json []byte) {
	if json != nil {
		v.body.Store(&body{bytes: json})
	}
}

// Size returns how many bytes the body takes in memory.
func (v *Version) Size() int {
	if b := v.body.Load(); b != nil {
		return len(b.bytes)
	}
	return 0
}

// Key returns the key of the version's object.
func (v *Version) Key() Key { return Key{v.Type.Resource(), v.Namespace, v.Name} }

// Faithful reports whether a body that was just encoded is exactly what its object holds. The
// encoder has replaced invalid UTF-8, which only protobuf clients can send: then the object differs
// from what every other process decodes.
func Faithful(body []byte) bool { return !bytes.Contains(body, mended) }

// mended is what the encoder writes for invalid UTF-8. An existing replacement character is written
// unchanged.
var mended = []byte(`\ufffd`)

// Remember stores the version's decoded form, which saves decoding it later. The caller gives up
// obj, which must be what the body encodes. Call it before the version is shared. For a Bulk type
// it keeps at most a weak reference.
func (v *Version) Remember(obj Object) {
	if v.Type.Bulk && v.Type.Weak == nil {
		return
	}
	obj.SetResourceVersion(v.Revision.ResourceVersion())
	if v.Type.Bulk {
		v.recall(obj)
		return
	}
	shareManagedFields(obj)
	if v.Type.Share != nil {
		v.Type.Share(obj, v.Body())
	}
	v.decoded.Store(&obj)
}

// recalled stands in Version.decoded for an object that the garbage collector may collect.
type recalled struct {
	Object // nil
	get    func() Object
}

// recall keeps a weak reference to the decoded form.
func (v *Version) recall(o Object) {
	var r Object = &recalled{get: v.Type.Weak(o)}
	v.decoded.Store(&r)
}

// WeakTo makes a weak reference to an object of type T, for Type.Weak. Its result is nil once the
// object has been collected.
func WeakTo[T any, P interface {
	*T
	Object
}](o Object) func() Object {
	to := weak.Make((*T)(o.(P)))
	return func() Object {
		if p := to.Value(); p != nil {
			return P(p)
		}
		return nil
	}
}

// Remembered returns the version's decoded form if it is cached, and nil if Object would decode the
// body. It is shared, and must not be changed.
func (v *Version) Remembered() Object {
	o := v.decoded.Load()
	if o == nil {
		return nil
	}
	if r, ok := (*o).(*recalled); ok {
		return r.get()
	}
	return *o
}

// Object decodes the body, once unless the type is Bulk. The result has its resourceVersion, is
// shared, and must not be changed: DeepCopy it first. A body that does not decode is a defect of
// the writer and panics.
func (v *Version) Object() Object {
	if o := v.Remembered(); o != nil {
		return o
	}
	decodes.Add(1)
	o := v.Type.New()
	if err := decode(v.Type, v.Body(), o); err != nil {
		panic(fmt.Sprintf("object: body of %s at revision %d does not decode: %v", v.Key(), v.Revision, err))
	}
	o.SetResourceVersion(v.Revision.ResourceVersion())
	v.shareNames(o)
	if v.Type.Bulk {
		if v.Type.Weak != nil {
			v.recall(o)
		}
		return o
	}
	if v.Type.Custom != nil {
		shareManagedFields(o)
	} else { // decodeEntry has shared them
		o.SetManagedFields(Trimmed(o.GetManagedFields()))
	}
	v.decoded.CompareAndSwap(nil, &o)
	return *v.decoded.Load()
}

// shareNames lets an object that was decoded from the version refer to its name and UID, so that
// they are in memory once.
func (v *Version) shareNames(o Object) {
	if v.Type.Custom == nil && o.GetName() == v.Name && o.GetUID() == v.UID {
		o.SetName(v.Name)
		o.SetUID(v.UID)
	}
}

// Event is one change of an object: the new version and the one before it, which is nil for a
// creation. For a removal, New is the tombstone.
type Event struct {
	New, Old *Version
}

// decode reads a stored body into an empty object of the type, with the result of json.Unmarshal in
// half of its time.
func decode(t *Type, body []byte, o Object) error {
	switch {
	case t.Custom != nil:
		return stdjson.Unmarshal(body, o)
	case t.decoding == nil:
		return json.Unmarshal(body, o, decodingOf(t.Parts))
	}
	return json.Unmarshal(body, o, t.decoding)
}
