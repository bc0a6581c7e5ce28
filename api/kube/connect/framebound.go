package connect

import (
	"encoding/binary"
	"errors"
)

// maxClientFrame is how many bytes one frame of a client may hold: a mebibyte, also if that is sent
// in base64. A frame is held in memory until its session reads it. Clients send far less at once:
// kubectl and client-go 32 KiB, browsers what somebody pastes.
//
// Differs: upstream's server takes websocket frames of 32 MiB, and SPDY frames of 16 MiB.
const maxClientFrame = 3 << 19

var errFrameTooLarge = errors.New("the client has sent a frame that is too large")

// frameBound follows the frames of a client by their lengths, and finds one that is larger than
// maxClientFrame before it is read. The zero value stands before the first frame of SPDY.
//
// Source: RFC 6455 section 5.2; SPDY protocol draft 3.1, section 2.2
type frameBound struct {
	socket bool // the frames are a websocket's

	head  []byte // of the next frame, as far as it has come
	left  uint64 // bytes of the frame at hand that are still to come
	fault error
}

// pass notes bytes that the client has sent, however they are cut, and returns how many of them may
// be read: those before the frame that is too large. Once it has failed it always fails.
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

// size is how large the payload is of the frame whose head has come, and how many bytes of it are
// to come, if the head is whole.
func (f *frameBound) size() (payload, rest uint64, whole bool) {
	h := f.head
	if !f.socket {
		if len(h) < 8 {
			return 0, 0, false
		}
		payload = uint64(binary.BigEndian.Uint32(h[4:8]) & (1<<24 - 1)) // behind the flags
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
	return payload, payload + 4, true // the mask's key comes first
}
