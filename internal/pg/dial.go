package pg

import (
	"net"
	"time"
)

// dialer is the client's half of the session settings: a server whose machine or cable is gone is noticed after 3 s of
// silence, and not after the two hours that an operating system allows.
func dialer() *net.Dialer {
	return &net.Dialer{
		KeepAliveConfig: net.KeepAliveConfig{Enable: true, Idle: time.Second, Interval: time.Second, Count: 2},
		Control:         limitUnacknowledged,
	}
}
