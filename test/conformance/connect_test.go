package conformance

import (
	"context"
	"crypto/tls"
	"net"
)

// connect opens a connection for a websocket.
func (st *story) connect(ctx context.Context) (net.Conn, error) {
	dialer := &net.Dialer{}
	if st.base.Scheme == "https" {
		return (&tls.Dialer{NetDialer: dialer, Config: &tls.Config{InsecureSkipVerify: true}}).DialContext(ctx, "tcp", st.base.Host) //nolint:gosec // a server for recording
	}
	return dialer.DialContext(ctx, "tcp", st.base.Host)
}
