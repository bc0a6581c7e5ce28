package wire

import (
	"bytes"
	"context"
	"errors"
	"net/http"
	"runtime"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"sigs.k8s.io/yaml"
)

// Bounds on YAML, which takes far more time and memory to make than JSON.
const (
	// smallYAMLBytes is how much JSON may become YAML in one answer without a place.
	smallYAMLBytes = 64 << 10
	// yamlPlaces is how many larger answers in YAML are under way at a time. Each holds one
	// converted object while its client reads it.
	yamlPlaces = 16
	// yamlWaiting is how many requests may wait for a place. Each of them holds one of the server's
	// places for reading requests; the rest are left for other clients.
	yamlWaiting = 64
	// yamlPatience is how long a request waits for a place before it gets 429, in real time.
	yamlPatience = 5 * time.Second
	// largeYAMLBytes is from which size on objects are converted one at a time.
	largeYAMLBytes = 256 << 10
	// maxYAMLBytes is how long an object may become by its indentation.
	maxYAMLBytes = 32 << 20
)

var errNoList = errors.New("the list has no place for its objects in YAML")

// Converter bounds the conversions to YAML of a server. It is safe for concurrent use.
type Converter struct {
	places       chan struct{} // of larger answers
	waiting      chan struct{} // of requests that wait for one of them
	small, large chan struct{} // turns: one object is converted in each
}

// NewConverter makes a Converter whose places are all free.
func NewConverter() *Converter {
	return &Converter{
		places:  make(chan struct{}, yamlPlaces),
		waiting: make(chan struct{}, yamlWaiting),
		small:   make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2)),
		large:   make(chan struct{}, 1),
	}
}

// enter takes a place for a larger answer, which leave gives back. It returns a 429 if none is free
// in time, and at once if too many requests wait already.
func (c *Converter) enter(ctx context.Context) error {
	busy := apierrors.NewTooManyRequests("Too many requests, please try again later.", 1)
	select {
	case c.places <- struct{}{}:
		return nil
	default:
	}
	select {
	case c.waiting <- struct{}{}:
		defer func() { <-c.waiting }()
	default:
		return busy
	}
	patience := time.NewTimer(yamlPatience)
	defer patience.Stop()
	select {
	case c.places <- struct{}{}:
		return nil
	case <-patience.C:
	case <-ctx.Done():
	}
	return busy
}

func (c *Converter) leave() { <-c.places }

// convert makes JSON into YAML when it is its turn. It returns the context's error if that ends
// first, and refuses what would become too long.
func (c *Converter) convert(ctx context.Context, doc []byte) ([]byte, error) {
	if indentedBytes(doc) > maxYAMLBytes {
		return nil, NotAcceptable("the object is too deeply nested to be sent as YAML: ask for " + MediaJSON)
	}
	turns := c.small
	if len(doc) > largeYAMLBytes {
		turns = c.large
	}
	select {
	case turns <- struct{}{}:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	defer func() { <-turns }()
	return yaml.JSONToYAML(doc)
}

// indentedBytes is about how long a document becomes with each value on an indented line.
func indentedBytes(doc []byte) int {
	size, depth, quoted := len(doc), 0, false
	for i := 0; i < len(doc); i++ {
		switch c := doc[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
			size += 2 * depth
		case c == '}' || c == ']':
			depth--
		case c == ',':
			size += 2 * depth
		}
	}
	return size
}

// yamlList is a list or table on its way to YAML, object by object: what stands before the objects
// and after them. As sequences are not indented, each object has the form that it has in a list of
// its own.
type yamlList struct {
	after []byte
	read  int // bytes of JSON so far
}

// openYAML replaces the JSON of a list up to its first object, which is all that the buffer holds,
// by YAML.
func (a *Answer) openYAML() error {
	head := a.Buf.B
	end := bytes.LastIndexByte(head, '"')
	key := string(head[bytes.LastIndexByte(head[:end], '"')+1 : end])
	doc, err := a.conversions.convert(a.ctx, append(bytes.Clone(head), "]}"...))
	if err != nil {
		return err
	}
	before, after, found := bytes.Cut(append([]byte("\n"), doc...), []byte("\n"+key+": []\n"))
	if !found {
		return errNoList
	}
	a.list = &yamlList{after: after}
	a.Buf.B = append(a.Buf.B[:0], bytes.TrimPrefix(before, newline)...)
	a.Buf.B = append(a.Buf.B, "\n"+key+":\n"...)
	return nil
}

// addYAML appends one object, which append appends as JSON.
func (a *Answer) addYAML(item func([]byte) ([]byte, error)) error {
	scratch := getBuffer()
	defer putBuffer(scratch)
	var err error
	if scratch.B, err = item(append(scratch.B[:0], '[')); err != nil {
		return err
	}
	scratch.B = append(scratch.B, ']')
	a.list.read += len(scratch.B)
	if err := a.enter(a.list.read); err != nil {
		return err
	}
	doc, err := a.conversions.convert(a.ctx, scratch.B)
	a.Buf.B = append(a.Buf.B, doc...)
	return err
}

// enter takes a place for an answer from so much JSON, unless it has one or needs none. Answers to
// writes, which have happened, need none.
func (a *Answer) enter(size int) error {
	if a.entered || size <= smallYAMLBytes || a.wrote {
		return nil
	}
	if err := a.conversions.enter(a.ctx); err != nil {
		return err
	}
	a.entered = true
	return nil
}

// aborted ends the request of an answer that fails. What has not begun to leave may still become an
// error.
func (a *Answer) aborted(err error) error {
	if a.sent {
		panic(http.ErrAbortHandler)
	}
	return err
}
