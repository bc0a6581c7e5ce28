package connect

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/runtime"
	"k8s.io/cri-streaming/pkg/streaming/remotecommand"
	"k8s.io/streaming/pkg/httpstream/wsstream"
	utilexec "k8s.io/utils/exec"

	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/visit"
)

const (
	// idleTimeout closes an idle connection, creationTimeout one that does not open all its streams
	// in time.
	// Source: kubernetes v1.36 pkg/kubelet/apis/config/v1beta1/defaults.go,
	// StreamingConnectionIdleTimeout;
	// staging/src/k8s.io/kubelet/pkg/cri/streaming/remotecommand/constants.go
	idleTimeout     = 4 * time.Hour
	creationTimeout = 30 * time.Second

	// frameBytes is the maximum payload of a frame to a client.
	frameBytes = 32 << 10
)

// joined runs a session on streams and returns how it ended.
type joined func(ctx context.Context, streams visit.Streams) error

// serveSession upgrades the connection to a websocket or SPDY, runs the session on its streams, and
// reports to the client how it ended.
func serveSession(w http.ResponseWriter, req *http.Request, a asked, run joined) {
	if wire.WantsSocket(req) {
		serveWebSocket(w, req, a, run)
		return
	}
	options := &remotecommand.Options{Stdin: a.start.Stdin, Stdout: a.stdout, Stderr: a.stderr, TTY: a.start.TTY}
	e := executor{run: run}
	if a.start.Command == nil {
		remotecommand.ServeAttach(w, req, e, "", "", "", options, idleTimeout, creationTimeout, remotecommand.SupportedStreamingProtocols)
		return
	}
	remotecommand.ServeExec(w, req, e, "", "", "", a.start.Command, options, idleTimeout, creationTimeout, remotecommand.SupportedStreamingProtocols)
}

// executor adapts a session to cri-streaming.
type executor struct{ run joined }

// ExecInContainer implements remotecommand.Executor.
func (e executor) ExecInContainer(
	ctx context.Context, _, _, _ string, _ []string, in io.Reader, out, stderr io.WriteCloser, _ bool,
	resize <-chan remotecommand.TerminalSize, _ time.Duration,
) error {
	return e.join(ctx, in, out, stderr, resize)
}

// AttachContainer implements remotecommand.Attacher.
func (e executor) AttachContainer(
	ctx context.Context, _, _, _ string, in io.Reader, out, stderr io.WriteCloser, _ bool,
	resize <-chan remotecommand.TerminalSize,
) error {
	return e.join(ctx, in, out, stderr, resize)
}

func (e executor) join(ctx context.Context, in io.Reader, out, stderr io.WriteCloser, resize <-chan remotecommand.TerminalSize) error {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	streams := visit.Streams{Stdin: in}
	if out != nil {
		streams.Stdout = out
	}
	if stderr != nil {
		streams.Stderr = stderr
	}
	if resize != nil {
		sizes := make(chan visit.Size)
		streams.Resize = sizes
		go forward(ctx, resize, sizes)
	}
	err := e.run(ctx, streams)
	var exit *visit.ExitError
	if errors.As(err, &exit) {
		return utilexec.CodeExitError{Err: exit, Code: exit.Code}
	}
	return err
}

// forward passes on the sizes of the client's terminal.
func forward(ctx context.Context, from <-chan remotecommand.TerminalSize, to chan<- visit.Size) {
	defer close(to)
	for size := range from {
		select {
		case to <- visit.Size{Rows: int(size.Height), Cols: int(size.Width)}:
		case <-ctx.Done():
			for range from { // the sender must not block
			}
			return
		}
	}
}

// Streams of a websocket, by channel.
const (
	channelStdin = iota
	channelStdout
	channelStderr
	channelStatus
	channelResize
)

// serveWebSocket serves a session over a websocket, in all versions of the protocol up to v5, in
// which the client can close stdin.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/util/proxy/websocket.go, createWebSocketStreams;
// staging/src/k8s.io/cri-streaming/pkg/streaming/remotecommand/websocket.go
func serveWebSocket(w http.ResponseWriter, req *http.Request, a asked, run joined) {
	channel := func(is bool, t wsstream.ChannelType) wsstream.ChannelType {
		if is {
			return t
		}
		return wsstream.IgnoreChannel
	}
	channels := []wsstream.ChannelType{
		channel(a.start.Stdin, wsstream.ReadChannel), channel(a.stdout, wsstream.WriteChannel), channel(a.stderr, wsstream.WriteChannel),
		wsstream.WriteChannel, channel(a.start.TTY, wsstream.ReadChannel),
	}
	protocols := wsstream.NewDefaultChannelProtocols(channels)
	for _, version := range []string{"v4.", "v5."} {
		protocols[version+wsstream.ChannelWebSocketProtocol] = wsstream.ChannelProtocolConfig{Binary: true, Channels: channels}
	}
	protocols["v4."+wsstream.Base64ChannelWebSocketProtocol] = wsstream.ChannelProtocolConfig{Channels: channels}
	conn := wsstream.NewConn(protocols)
	conn.SetIdleTimeout(idleTimeout)
	protocol, ends, err := conn.Open(w, req)
	if err != nil {
		runtime.HandleError(fmt.Errorf("unable to upgrade websocket connection: %w", err))
		return
	}
	defer conn.Close() //nolint:errcheck // everything has been sent
	var streams visit.Streams
	if a.start.Stdin {
		streams.Stdin = ends[channelStdin]
	}
	first := channelStatus // an empty frame marks the start of the session
	if a.stderr {
		streams.Stderr, first = inFrames{ends[channelStderr]}, channelStderr
	}
	if a.stdout {
		streams.Stdout, first = inFrames{ends[channelStdout]}, channelStdout
	}
	_, _ = ends[first].Write([]byte{}) // later writes detect a disconnected client
	ctx, cancel := context.WithCancel(req.Context())
	defer cancel()
	if a.start.TTY {
		sizes := make(chan visit.Size)
		streams.Resize = sizes
		go decodeSizes(ctx, ends[channelResize], sizes)
	}
	err = run(ctx, streams)
	versioned := protocol != "" && protocol != wsstream.ChannelWebSocketProtocol && protocol != wsstream.Base64ChannelWebSocketProtocol
	_, _ = ends[channelStatus].Write(sessionStatus(err, a.start.Command != nil, versioned))
}

// inFrames splits writes into frames.
type inFrames struct{ io.Writer }

// Write implements io.Writer.
func (f inFrames) Write(b []byte) (n int, err error) {
	for len(b) > 0 && err == nil {
		var wrote int
		wrote, err = f.Writer.Write(b[:min(len(b), frameBytes)])
		n, b = n+wrote, b[min(wrote, len(b)):]
	}
	return n, err
}

// decodeSizes reads terminal sizes until the input ends, and drops everything after invalid input:
// if nothing read this channel, the other channels would block, and a disconnect would go
// unnoticed.
func decodeSizes(ctx context.Context, from io.Reader, to chan<- visit.Size) {
	defer close(to)
	defer io.Copy(io.Discard, from) //nolint:errcheck // it ends with the connection
	d := json.NewDecoder(from)
	for {
		var size remotecommand.TerminalSize
		if d.Decode(&size) != nil {
			return
		}
		select {
		case to <- visit.Size{Rows: int(size.Height), Cols: int(size.Width)}:
		case <-ctx.Done():
			return
		}
	}
}

// sessionStatus returns the message about a session's end: a Status from protocol v4 on, before
// that the text of an error.
func sessionStatus(err error, executes, versioned bool) []byte {
	status := metav1.Status{Status: metav1.StatusSuccess}
	var exit *visit.ExitError
	switch {
	case errors.As(err, &exit):
		status = metav1.Status{
			Status: metav1.StatusFailure, Reason: remotecommand.NonZeroExitCodeReason, Message: "command terminated with non-zero exit code: " + err.Error(),
			Details: &metav1.StatusDetails{Causes: []metav1.StatusCause{{Type: remotecommand.ExitCodeCauseType, Message: strconv.Itoa(exit.Code)}}},
		}
	case err != nil:
		what := "error attaching to container: "
		if executes {
			what = "error executing command in container: "
		}
		status = metav1.Status{Status: metav1.StatusFailure, Reason: metav1.StatusReasonInternalError, Code: http.StatusInternalServerError,
			Details: &metav1.StatusDetails{Causes: []metav1.StatusCause{{Message: what + err.Error()}}}, Message: "Internal error occurred: " + what + err.Error()}
	}
	if !versioned {
		return []byte(status.Message)
	}
	doc, err := json.Marshal(status)
	if err != nil {
		panic(err) // cannot happen: only strings and numbers
	}
	return doc
}
