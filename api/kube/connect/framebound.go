package connect

import (
	"encoding/binary"
	"errors"
)

// maxClientFrame limits one frame of a client: to 1 MiB of data, also if it is sent in base64. A
// frame is held in memory until its session reads it. Clients send far less at a time: kubectl and
// client-go 32 KiB, browsers what a user pastes.
//
// Differs: upstream's server accepts websocket frames of 32 MiB, and SPDY frames of 16 MiB.
const maxClientFrame = 3 << 19

var errFrameTooLarge = errors.New("the client sent a frame that is too large")

// frameBound tracks the frames of a client by their lengths, and detects one larger than
// maxClientFrame before it is read. The zero value is positioned before the first frame of SPDY.
//
// Source: RFC 6455 section 5.2; SPDY protocol draft 3.1, section 2.2
type frameBound struct {
	socket bool // the frames are a websocket's

	head  []byte // header of the next frame, as far as received
	left  uint64 // bytes of the current frame still to come
	fault error
}

// pass records bytes from the client, in pieces of any size, and returns how many of them may be
// read: those before a frame that is too large. After an error it always fails.
func (f *frameBound) pass(b []byte) (good int, err error) {
	for at := 0; at < len(b) && f.fault == nil; {
		if f.left > 0 {
			n := min(f.left, uint64(len(b)-at))
			f.left, at = f.left-n, at+int(n)
			continue
		}
		if len(f.head) == 0 {
			good = at
		}
		f.head, at = append(f.head, b[at]), at+1
		payload, rest, whole := f.size()
		if !whole {
			continue
		}
		if f.head = f.head[:0]; payload > maxClientFrame {
			f.fault = errFrameTooLarge
			return good, f.fault
		}
		f.left = rest
	}
	if f.fault != nil {
		return 0, f.fault
	}
	return len(b), nil
}

// size returns the length of the payload of the frame whose header is in head, and how many bytes
// of the frame follow; whole is false if the header is incomplete.
func (f *frameBound) size() (payload, rest uint64, whole bool) {
	h := f.head
	if !f.socket {
		if len(h) < 8 {
			return 0, 0, false
		}
		payload = uint64(binary.BigEndian.Uint32(h[4:8]) & (1<<24 - 1)) // after the flags
		return payload, payload, true
	}
	if len(h) < 2 {
		return 0, 0, false
	}
	length, mask := h[1]&0x7f, h[1]&0x80 != 0
	switch {
	case length < 126:
		payload = uint64(length)
	case length == 126 && len(h) == 4:
		payload = uint64(binary.BigEndian.Uint16(h[2:]))
	case length == 127 && len(h) == 10:
		payload = binary.BigEndian.Uint64(h[2:])
	default:
		return 0, 0, false
	}
	if payload > maxClientFrame || !mask {
		return payload, payload, true
	}
	return payload, payload + 4, true // the masking key comes first
}
