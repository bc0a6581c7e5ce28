package pg

import (
	"context"
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
)

// pgx grows its two buffers by a quarter whenever they are full, that of the message and that of a
// statement's arguments, and drops them after each message: a message of one megabyte leaves five
// as garbage. SendBatch lends it buffers that are large enough and are used again.

// encodeArraysAtOnce makes the connection encode [][]byte and []string as json[], text[] and
// bytea[], into a buffer that SendBatch has lent or one that it grows at most once. A nil []byte is
// NULL.
func encodeArraysAtOnce(conn *pgx.Conn) {
	m := conn.TypeMap()
	lent := new(lending)
	for _, oid := range []uint32{pgtype.JSONArrayOID, pgtype.TextArrayOID, pgtype.ByteaArrayOID} {
		t, _ := m.TypeForOID(oid) // pgx knows all three
		if array, ok := t.Codec.(*pgtype.ArrayCodec); ok {
			m.RegisterType(&pgtype.Type{Name: t.Name, OID: oid, Codec: arrays{array, lent}})
		}
	}
}

// SendBatch sends a batch whose message has about this size, in bytes, waits for the results, and
// calls the functions that wait for them.
func SendBatch(ctx context.Context, conn *pgx.Conn, batch *pgx.Batch, size int) error {
	t, _ := conn.TypeMap().TypeForOID(pgtype.JSONArrayOID)
	codec, ok := t.Codec.(arrays)
	if !ok || size < largeMessage {
		return conn.SendBatch(ctx, batch).Close()
	}
	b := spare.Get().(*buffers)
	codec.lent.buffers = b
	defer func() { codec.lent.buffers = nil }()
	conn.PgConn().Frontend().Send(room{b, size})
	if err := conn.SendBatch(ctx, batch).Close(); err != nil {
		return err // pgx may still hold the buffers
	}
	conn.PgConn().Frontend().Send(takeBack{room{lent: b}})
	if cap(b.message)+cap(b.arguments) <= maxSpare {
		spare.Put(b)
	}
	return nil
}

const (
	// largeMessage is the minimum size for which buffers are lent: a smaller message grows its own a
	// few times at most.
	largeMessage = 4 << 10
	// maxSpare is the maximum size of buffers that are used again.
	maxSpare = 16 << 20
)

// spare holds buffers of no connection. The garbage collector frees those that are not used.
var spare = sync.Pool{New: func() any { return new(buffers) }}

// buffers are what pgx needs for one message.
type buffers struct{ message, arguments []byte }

// lending is what a connection has been lent; nil for nothing.
type lending struct{ buffers *buffers }

// enlarge returns dst with room for n more bytes: dst itself, or a copy in *buffer, which is
// replaced if it is too small. pgx drops a buffer of more than a kilobyte after it has used it.
func enlarge(buffer *[]byte, dst []byte, n int) []byte {
	need := len(dst) + n
	if cap(dst) >= need {
		return dst
	}
	if cap(*buffer) < need {
		*buffer = make([]byte, 0, max(need, 2*cap(*buffer), 2<<10))
	}
	return append((*buffer)[:0], dst...)
}

// room is an empty message, which puts those after it into the buffer that has been lent.
type room struct {
	lent *buffers
	size int
}

// Frontend marks a message to the server.
func (room) Frontend() {}

// Decode is never called: the server does not send this message.
func (room) Decode([]byte) error { return nil }

// Encode grows the buffer.
func (r room) Encode(dst []byte) ([]byte, error) { return enlarge(&r.lent.message, dst, r.size), nil }

// takeBack is an empty message after all others of a batch. It makes sure that pgx does not keep
// the buffer that it was lent, as it does if the message was short.
type takeBack struct{ room }

// Encode replaces the buffer if it is the one that was lent.
func (t takeBack) Encode(dst []byte) ([]byte, error) {
	if lent := t.lent.message; cap(lent) > 0 && cap(dst) > 0 && &dst[:1][0] == &lent[:1][0] {
		return make([]byte, 0, 1<<10), nil
	}
	return dst, nil
}

// arrays is the codec of an array type whose elements are sent as they are.
type arrays struct {
	*pgtype.ArrayCodec
	lent *lending
}

// PlanEncode chooses the plan for [][]byte and []string, and leaves all other values to pgx.
func (c arrays) PlanEncode(m *pgtype.Map, oid uint32, format int16, value any) pgtype.EncodePlan {
	if format == pgtype.BinaryFormatCode {
		switch value.(type) {
		case [][]byte:
			return encodeArray[[]byte]{c.ElementType.OID, c.lent, func(e []byte) bool { return e == nil }}
		case []string:
			return encodeArray[string]{c.ElementType.OID, c.lent, func(string) bool { return false }}
		}
	}
	return c.ArrayCodec.PlanEncode(m, oid, format, value)
}

type encodeArray[E []byte | string] struct {
	element uint32
	lent    *lending
	isNull  func(E) bool
}

// Encode appends the array in PostgreSQL's binary form: the number of dimensions, whether there are
// NULLs, the elements' type, length and lower bound, and the elements, each after its length.
//
// Source: PostgreSQL, src/backend/utils/adt/arrayfuncs.c, array_recv.
func (p encodeArray[E]) Encode(value any, buf []byte) ([]byte, error) {
	elements := value.([]E)
	size, nulls := 20, uint32(0)
	for _, e := range elements {
		if len(e) > math.MaxInt32 {
			return nil, fmt.Errorf("an array element of %d bytes is too large", len(e))
		}
		if size += 4 + len(e); p.isNull(e) {
			nulls = 1
		}
	}
	size += size / 8 // for the other arguments, which are small in comparison
	if b := p.lent.buffers; b != nil {
		buf = enlarge(&b.arguments, buf, size)
	} else {
		buf = slices.Grow(buf, size)
	}
	if len(elements) == 0 {
		return appendUint32s(buf, 0, 0, p.element), nil
	}
	buf = appendUint32s(buf, 1, nulls, p.element, uint32(len(elements)), 1)
	for _, e := range elements {
		if p.isNull(e) {
			buf = appendUint32s(buf, math.MaxUint32) // -1
			continue
		}
		buf = append(appendUint32s(buf, uint32(len(e))), e...)
	}
	return buf, nil
}

func appendUint32s(buf []byte, numbers ...uint32) []byte {
	for _, n := range numbers {
		buf = binary.BigEndian.AppendUint32(buf, n)
	}
	return buf
}
