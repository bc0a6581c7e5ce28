package pg

import (
	"net"
	"time"
)

// dialer is the client's half of the session settings: it detects a server whose machine or cable
// is gone after 3 s of silence, not after the two hours that an operating system allows.
func dialer() *net.Dialer {
	return &net.Dialer{
		KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: time.Second, Interval: time.Second, Count: 2},
		Control:         limitUnacknowledged,
	}
}
