package snapshot

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/google/uuid"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/core"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/registry"
)

// ErrInvalid says that a file is undamaged, but its contents are invalid for a cluster.
var ErrInvalid = errors.New("the snapshot is invalid")

// ErrLog says that a file holds a range of a log, which is not a state.
var ErrLog = fmt.Errorf("%w: it holds a range of the log, which lists changes rather than all objects", ErrInvalid)

func invalid(format string, args ...any) error {
	return fmt.Errorf("%w: %s", ErrInvalid, fmt.Sprintf(format, args...))
}

// Bounds on parts of a state.
const (
	maxBody    = 4 << 20 // a client's object has at most 3 MiB, and grows a little with its status
	maxMemory  = 16 << 20
	maxFile    = 16 << 20
	maxAnswer  = 4 << 20
	maxSpeed   = 100_000
	lastMoment = 9000 // the year before which clocks stop
	// mostInvalid bounds how many errors of one object are listed.
	mostInvalid = 100
)

// Rules are the rules that Checker applies.
type Rules struct {
	// Kinds are the kinds of a cluster; only built-in ones count here, because the state has
	// definitions of its own.
	Kinds *kind.Catalogue
	// Controllers are what may have wakeups, by name.
	Controllers map[string]Controller
	// Memories are the resources whose objects may have a memory, each with a function that returns
	// what is wrong with one.
	Memories map[string]func(memory []byte) error
	// Suspect refuses a body that would be costly to decode into an object; nil refuses none.
	Suspect func(body []byte, into any) error
}

// Controller is what a controller may be woken for.
type Controller struct {
	Syncs func(resource string) bool // objects of these resources
	Lock  types.UID                  // and the row of its lock; empty for none
}

// Checker is a Sink that validates a state, record by record, and passes on valid records, with
// bodies as this Rowlock encodes them. Close checks what needs the whole state. Its errors are
// ErrInvalid and those of the Sink behind it.
type Checker struct {
	rules Rules
	next  Sink

	header     Header
	stage      int             // memories, wakeups, files, answers, versions: it never goes back
	last       object.Revision // the newest version so far
	uids       map[uuid.UUID]bool
	names      map[object.Key]bool
	nodes      map[string]bool                // the named nodes: whether each exists
	answered   map[uuid.UUID]map[int64]bool   // the numbers of an object's answered calls
	woken      map[uuid.UUID]map[string]bool  // the controllers that are woken for an object
	resources  map[string]object.Key          // those of custom resources, with an object of each
	remembered map[uuid.UUID]map[string]error // what each resource, if it were its object's, finds wrong with a memory
}

// NewChecker makes a Checker in front of a Sink.
func NewChecker(rules Rules, next Sink) *Checker {
	rules.Kinds = rules.Kinds.Builtin()
	return &Checker{
		rules: rules, next: next, uids: map[uuid.UUID]bool{}, names: map[object.Key]bool{}, nodes: map[string]bool{}, resources: map[string]object.Key{},
		answered: map[uuid.UUID]map[int64]bool{},
		woken:    map[uuid.UUID]map[string]bool{}, remembered: map[uuid.UUID]map[string]error{},
	}
}

// Copy reads a whole file into a Checker, and closes it.
func Copy(c *Checker, r *Reader) error {
	if err := c.Begin(r.Header); err != nil {
		return err
	}
	for {
		record, err := r.Next()
		if errors.Is(err, io.EOF) {
			return c.Close()
		}
		if err == nil {
			err = c.Put(record)
		}
		if err != nil {
			return err
		}
	}
}

// Begin checks the header.
func (c *Checker) Begin(h Header) error {
	switch {
	case h.Contents == Log:
		return ErrLog
	case h.Contents != State:
		return invalid("unknown contents %q", h.Contents)
	case h.Revision < 1 || h.Revision > math.MaxInt64/2:
		return invalid("revision %d is out of range", h.Revision)
	case !moment(h.Time) || !moment(h.Committed) || h.Committed.After(h.Time.Add(time.Second)):
		return invalid("the times in its header are out of order")
	case !(h.Clock.Speed >= 0 && h.Clock.Speed <= maxSpeed && h.Clock.Pace > 0 && h.Clock.Pace <= maxSpeed):
		return invalid("the clock has a speed of %g", h.Clock.Speed)
	case h.Addresses < 0 || h.Addresses > math.MaxInt32:
		return invalid("%d Pod addresses are out of range", h.Addresses)
	}
	c.header = h
	return c.next.Begin(h)
}

// moment reports whether a clock can show a time.
func moment(t time.Time) bool { return t.Year() >= 1970 && t.Year() <= lastMoment }

// Put checks one record and passes it on.
func (c *Checker) Put(r Record) error {
	var err error
	stage := 0
	switch {
	case r.Memory != nil:
		err = c.memory(r.Memory)
	case r.Wakeup != nil:
		stage, err = 1, c.wakeup(r.Wakeup)
	case r.File != nil:
		stage, err = 2, c.file(r.File)
	case r.Answer != nil:
		stage, err = 3, c.answer(r.Answer)
	default:
		stage = 4
		r.Version, err = c.version(*r.Version)
	}
	if err == nil && stage < c.stage {
		err = invalid("the records are out of order")
	}
	c.stage = stage
	if err != nil {
		return err
	}
	return c.next.Put(r)
}

func (c *Checker) memory(m *Memory) error {
	uid, err := parse(m.UID)
	switch {
	case err != nil:
		return err
	case c.remembered[uid] != nil:
		return invalid("object %s has more than one memory", uid)
	case len(m.State) == 0 || len(m.State) > maxMemory:
		return invalid("the memory of object %s has %d bytes", uid, len(m.State))
	}
	wrong := map[string]error{}
	for resource, judge := range c.rules.Memories {
		wrong[resource] = judge(m.State)
	}
	c.remembered[uid] = wrong
	return nil
}

func (c *Checker) wakeup(w *Wakeup) error {
	uid, err := parse(w.UID)
	_, known := c.rules.Controllers[w.Controller]
	switch {
	case err != nil:
		return err
	case !known:
		return invalid("unknown controller %q", w.Controller)
	case w.Due != nil && !moment(*w.Due):
		return invalid("a wakeup is due at %s, which is out of range", w.Due)
	case w.Attempt < 0 || w.Attempt > math.MaxInt32:
		return invalid("a wakeup has %d failed attempts", w.Attempt)
	}
	if c.woken[uid] == nil {
		c.woken[uid] = map[string]bool{}
	}
	c.woken[uid][w.Controller] = true
	return nil
}

func (c *Checker) file(f *File) error {
	switch {
	case f.Node == "" || len(f.Node) > 253 || f.Path == "" || f.Path[0] != '/' || len(f.Path) > 4096:
		return invalid("the file %q of node %q has an invalid path or node", f.Path, f.Node)
	case len(f.Content) > maxFile:
		return invalid("the file %s of node %s has %d bytes", f.Path, f.Node, len(f.Content))
	}
	if !c.nodes[f.Node] {
		c.nodes[f.Node] = false
	}
	return nil
}

func (c *Checker) answer(a *Answer) error {
	caller, err := parse(a.Caller)
	if err == nil {
		_, err = parse(a.Callee)
	}
	switch {
	case err != nil:
		return err
	case a.Number < 0 || c.answered[caller][a.Number]:
		return invalid("call %d of object %s does not have exactly one answer", a.Number, caller)
	case !moment(a.At) || !moment(a.Due):
		return invalid("a call at %s has its answer at %s, and one of the times is out of range", a.At, a.Due)
	case len(a.Answer) > maxAnswer:
		return invalid("the answer to call %d of object %s has %d bytes", a.Number, caller, len(a.Answer))
	}
	if c.answered[caller] == nil {
		c.answered[caller] = map[int64]bool{}
	}
	c.answered[caller][a.Number] = true
	return nil
}

// version checks an object, and returns it with the body to store.
func (c *Checker) version(v Version) (*Version, error) {
	k := c.rules.Kinds.ByResource(v.Resource)
	if k == nil {
		var err error
		if k, err = c.custom(&v); err != nil {
			return nil, err
		}
	}
	key := v.Key()
	uid, err := parse(v.UID)
	switch {
	case err != nil:
		return nil, fmt.Errorf("%s: %w", key, err)
	case v.Revision <= c.last || v.Revision > c.header.Revision:
		return nil, invalid("%s: revision %d is not after %d, or is after the snapshot's revision %d", key, v.Revision, c.last, c.header.Revision)
	case v.Verb != object.Created && v.Verb != object.Updated:
		return nil, invalid("%s: the last change was %q", key, v.Verb)
	case !moment(v.At) || v.At.After(c.header.Committed):
		return nil, invalid("%s: it changed at %s, after the last commit", key, v.At)
	case c.uids[uid]:
		return nil, invalid("%s: another object has the same uid %s", key, uid)
	case c.names[key]:
		return nil, invalid("%s: another object has the same name", key)
	case k.Namespaced != (v.Namespace != ""):
		return nil, invalid("%s: an object of its kind cannot have the namespace %q", key, v.Namespace)
	case len(v.Body) > maxBody:
		return nil, invalid("%s: its body has %d bytes", key, len(v.Body))
	case len(v.Writer) > 1024:
		return nil, invalid("%s: its writer's name has %d bytes", key, len(v.Writer))
	case !object.IsWriterText(v.Writer):
		return nil, invalid("%s: its writer %q is not printable, or has more than three parts", key, v.Writer)
	}
	if v.Body, err = c.body(k, &v); err != nil {
		return nil, fmt.Errorf("%w: %s: %w", ErrInvalid, key, err)
	}
	if err := c.beside(v.Resource, key, uid); err != nil {
		return nil, err
	}
	c.last, c.uids[uid], c.names[key] = v.Revision, true, true
	if v.Resource == core.Node.Resource() {
		c.nodes[v.Name] = true
	}
	if v.Resource == core.PersistentVolume.Resource() {
		c.nodes[core.VolumePlace+uid.String()] = true
	}
	return &v, nil
}

// beside checks what came before an object and belongs to it: its memory and its wakeups.
func (c *Checker) beside(resource string, key object.Key, uid uuid.UUID) error {
	if wrong, remembered := c.remembered[uid]; remembered {
		switch err, may := wrong[resource]; {
		case !may:
			return invalid("%s: it has a memory, and no controller remembers objects of its kind", key)
		case err != nil:
			return fmt.Errorf("%w: %s: its memory: %w", ErrInvalid, key, err)
		}
	}
	for _, name := range slices.Sorted(maps.Keys(c.woken[uid])) {
		if !c.rules.Controllers[name].Syncs(resource) {
			return invalid("%s: it has a wakeup for controller %q, which does not sync objects of its kind", key, name)
		}
	}
	return nil
}

// body decodes a body, validates the object by its kind, and encodes it as this Rowlock does.
func (c *Checker) body(k *kind.Kind, v *Version) (body []byte, err error) {
	defer func() {
		if p := recover(); p != nil { // validation expects objects that the API has decoded
			err = fmt.Errorf("its validation failed: %v", p)
		}
	}()
	o := k.New()
	if c.rules.Suspect != nil {
		if err := c.rules.Suspect(v.Body, o); err != nil {
			return nil, err
		}
	}
	if err := json.Unmarshal(v.Body, o); err != nil {
		return nil, err
	}
	if gvk := o.GetObjectKind().GroupVersionKind(); gvk != k.GroupVersionKind() {
		return nil, fmt.Errorf("its body has the kind %s", gvk)
	}
	if o.GetNamespace() != v.Namespace || o.GetName() != v.Name || o.GetUID() != v.UID {
		return nil, errors.New("its body is that of another object")
	}
	if all := registry.CheckStored(k, o); len(all) > 0 {
		return nil, all[:min(len(all), mostInvalid)].ToAggregate()
	}
	if u, custom := o.(*unstructured.Unstructured); custom {
		return encodeCustom(k, u)
	}
	return object.Encode(&k.Type, o)
}

// Close checks what needs the whole state.
func (c *Checker) Close() error {
	for name, there := range c.nodes {
		if !there {
			return invalid("there are files of node %q, which does not exist", name)
		}
	}
	if err := c.undefined(); err != nil {
		return err
	}
	for uid := range c.remembered {
		if !c.uids[uid] {
			return invalid("there is a memory of object %s, which does not exist", uid)
		}
	}
	for uid := range c.answered {
		if !c.uids[uid] {
			return invalid("there is a call of object %s, which does not exist", uid)
		}
	}
	for uid, controllers := range c.woken {
		if c.uids[uid] {
			continue
		}
		for name := range controllers {
			if c.rules.Controllers[name].Lock != types.UID(uid.String()) {
				return invalid("there is a wakeup for controller %q of object %s, which does not exist", name, uid)
			}
		}
	}
	return nil
}

// parse parses a uid: a UUID in the one form that Rowlock assigns.
func parse(uid types.UID) (uuid.UUID, error) {
	u, err := uuid.Parse(string(uid))
	if err != nil || u.String() != string(uid) {
		return uuid.UUID{}, invalid("the uid %q is not a UUID", uid)
	}
	return u, nil
}
