package pg

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
)

// pgx grows its buffers by a quarter whenever they are full, and drops them after each message: a
// message of one megabyte leaves five as garbage. The two functions below make the buffers large
// enough at once.

// encodeArraysAtOnce makes the connection encode [][]byte as json[], text[] and bytea[] and grow
// its buffer at most once. A nil element is NULL.
func encodeArraysAtOnce(conn *pgx.Conn) {
	m := conn.TypeMap()
	for _, oid := range []uint32{pgtype.JSONArrayOID, pgtype.TextArrayOID, pgtype.ByteaArrayOID} {
		t, _ := m.TypeForOID(oid) // pgx knows all three
		if array, ok := t.Codec.(*pgtype.ArrayCodec); ok {
			m.RegisterType(&pgtype.Type{Name: t.Name, OID: oid, Codec: bytesArrays{array}})
		}
	}
}

// MakeRoom prepares the connection for a message of about this many bytes. Call it just before
// sending it.
func MakeRoom(conn *pgx.Conn, bytes int) {
	if bytes >= largeMessage {
		conn.PgConn().Frontend().Send(room(bytes))
	}
}

// largeMessage is the minimum size for which room is made: a smaller message grows its buffer a few
// times at most.
const largeMessage = 16 << 10

// room is an empty message, which grows the buffer that it is put into.
type room int

// Frontend marks a message to the server.
func (room) Frontend() {}

// Decode is never called: the server does not send this message.
func (room) Decode([]byte) error { return nil }

// Encode grows the buffer.
func (r room) Encode(dst []byte) ([]byte, error) { return slices.Grow(dst, int(r)), nil }

// bytesArrays is the codec of an array type whose elements are sent unchanged.
type bytesArrays struct{ *pgtype.ArrayCodec }

// PlanEncode chooses the plan for [][]byte, and leaves all other values to pgx.
func (c bytesArrays) PlanEncode(m *pgtype.Map, oid uint32, format int16, value any) pgtype.EncodePlan {
	if _, ok := value.([][]byte); ok && format == pgtype.BinaryFormatCode {
		return encodeBytesArray{c.ElementType.OID}
	}
	return c.ArrayCodec.PlanEncode(m, oid, format, value)
}

type encodeBytesArray struct{ element uint32 }

// Encode appends the array in PostgreSQL's binary form: the number of dimensions, whether there are
// NULLs, the elements' type, length and lower bound, and the elements, each after its length.
//
// Source: PostgreSQL, src/backend/utils/adt/arrayfuncs.c, array_recv.
func (p encodeBytesArray) Encode(value any, buf []byte) ([]byte, error) {
	elements := value.([][]byte)
	size, nulls := 20, uint32(0)
	for _, e := range elements {
		if len(e) > math.MaxInt32 {
			return nil, fmt.Errorf("an array element of %d bytes is too large", len(e))
		}
		if size += 4 + len(e); e == nil {
			nulls = 1
		}
	}
	buf = slices.Grow(buf, size+size/8) // the rest of the message is small in comparison
	if len(elements) == 0 {
		return appendUint32s(buf, 0, 0, p.element), nil
	}
	buf = appendUint32s(buf, 1, nulls, p.element, uint32(len(elements)), 1)
	for _, e := range elements {
		if e == nil {
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
