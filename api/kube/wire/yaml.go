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

// Limits on YAML, which takes far more time and memory to encode than JSON.
const (
	// smallYAMLBytes is the size of JSON up to which an answer becomes YAML without a slot.
	smallYAMLBytes = 64 << 10
	// yamlPlaces limits the concurrent larger answers in YAML. Each holds one converted object
	// while its client reads it.
	yamlPlaces = 16
	// yamlWaiting limits the requests that wait for a slot. Each holds a slot for read requests;
	// the other slots are left for other clients.
	yamlWaiting = 64
	// yamlPatience is how long a request waits for a slot before it gets 429, in real time.
	yamlPatience = 5 * time.Second
	// largeYAMLBytes is the size from which objects are converted one at a time.
	largeYAMLBytes = 256 << 10
	// maxYAMLBytes limits the size of an object with its indentation.
	maxYAMLBytes = 32 << 20
)

var errNoList = errors.New("the list has no place for its objects in YAML")

// Converter limits a server's conversions to YAML. It is safe for concurrent use.
type Converter struct {
	places       chan struct{} // slots for larger answers
	waiting      chan struct{} // requests that wait for a slot
	small, large chan struct{} // semaphores for converting an object
}

// NewConverter returns a Converter whose slots are all free.
func NewConverter() *Converter {
	return &Converter{
		places:  make(chan struct{}, yamlPlaces),
		waiting: make(chan struct{}, yamlWaiting),
		small:   make(chan struct{}, max(1, runtime.GOMAXPROCS(0)/2)),
		large:   make(chan struct{}, 1),
	}
}

// enter takes a slot for a larger answer, which leave frees. It returns a 429 if none becomes free
// in time, and at once if too many requests are waiting.
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

// convert converts JSON to YAML when it gets a turn. It returns the context's error if that ends
// first, and rejects a result that would be too long.
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

// indentedBytes estimates the size of a document with each value on an indented line.
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

// yamlList is a list or table that is being converted to YAML object by object: the text after the
// objects. Because sequences are not indented, each object looks as it does in a list of its own.
type yamlList struct {
	after []byte
	read  int // bytes of JSON read so far
}

// openYAML converts the head of a list, which is all that the buffer holds, from JSON to YAML.
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

// addYAML appends one object, which item appends as JSON.
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

// enter takes a slot for an answer of size bytes of JSON, unless it has one or needs none. Answers
// to writes need none, because they must not fail.
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

// aborted ends the request of an answer that fails. If nothing has been sent yet, the error can
// still be sent.
func (a *Answer) aborted(err error) error {
	if a.sent {
		panic(http.ErrAbortHandler)
	}
	return err
}
