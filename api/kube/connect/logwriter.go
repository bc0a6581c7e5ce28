package connect

import (
	"errors"
	"math"
	"net/http"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/emulator"
)

// logTime is the format of timestamps in logs.
//
// Source: kubernetes v1.36 staging/src/k8s.io/cri-client/pkg/logs/logs.go, RFC3339NanoFixed
const logTime = "2006-01-02T15:04:05.000000000Z07:00"

// errEnough reports that the client has as many bytes as it requested.
var errEnough = errors.New("the limit is reached")

// logWriter writes the lines of a log that the options select. The options apply in this order:
// tail, time, stream, bytes.
//
// Source: kubernetes v1.36 staging/src/k8s.io/cri-client/pkg/logs/logs.go, ReadLogs
type logWriter struct {
	w       http.ResponseWriter
	ctl     *http.ResponseController
	slow    time.Duration
	opts    *corev1.PodLogOptions
	since   time.Time
	next    int   // number of the next line, counted from the first line of the run
	left    int64 // bytes
	newLine bool  // the last written line is complete
	buf     []byte
}

// newLogWriter returns a writer. now is cluster time.
func newLogWriter(w http.ResponseWriter, opts *corev1.PodLogOptions, now time.Time, slow time.Duration) *logWriter {
	out := &logWriter{w: w, ctl: http.NewResponseController(w), slow: slow, opts: opts, left: math.MaxInt64, newLine: true}
	if opts.LimitBytes != nil {
		out.left = *opts.LimitBytes
	}
	switch {
	case opts.SinceTime != nil:
		out.since = opts.SinceTime.Time
	case opts.SinceSeconds != nil:
		out.since = now.Add(-time.Duration(min(*opts.SinceSeconds, math.MaxInt64/int64(time.Second))) * time.Second)
	}
	return out
}

// sandbox is the policy that keeps a browser from running scripts in a log.
var sandbox = []string{"sandbox"}

// begin sends the header and finds the first line to write in the first page.
func (o *logWriter) begin(page LogPage) {
	if tail := o.opts.TailLines; tail != nil && *tail < int64(len(page.Lines)) {
		o.next = page.Dropped + len(page.Lines) - int(*tail)
	}
	o.w.Header()["Content-Type"], o.w.Header()["Cache-Control"] = []string{"text/plain"}, wire.NoStore
	o.w.Header()["Content-Security-Policy"] = sandbox
	o.w.WriteHeader(http.StatusOK)
}

// write writes the new lines of a page. It returns errEnough when the client wants no more.
func (o *logWriter) write(page LogPage) error {
	for _, line := range page.Lines[min(max(o.next-page.Dropped, 0), len(page.Lines)):] {
		if err := o.line(line); err != nil {
			return errors.Join(err, o.flush())
		}
		if len(o.buf) >= wire.StreamBytes {
			if err := o.flush(); err != nil {
				return err
			}
		}
	}
	o.next = max(o.next, page.Dropped+len(page.Lines)) // a page may end before the previous one did: see podlog
	return nil
}

// line buffers one line.
func (o *logWriter) line(line emulator.Line) error {
	begins := o.newLine
	o.newLine = !line.Partial
	other := *o.opts.Stream != corev1.LogStreamAll && (*o.opts.Stream == corev1.LogStreamStderr) != (line.Stream == emulator.Stderr)
	if other || line.At.Before(o.since) {
		return nil
	}
	text := line.Text
	if !line.Partial {
		text += "\n"
	}
	if o.opts.Timestamps && begins {
		text = line.At.UTC().Format(logTime) + " " + text
	}
	text = text[:min(int64(len(text)), o.left)]
	o.buf = append(o.buf, text...)
	if o.left -= int64(len(text)); o.left == 0 {
		return errEnough
	}
	return nil
}

// flush sends the buffer. A client that does not accept it in time is cut off.
func (o *logWriter) flush() error {
	_ = o.ctl.SetWriteDeadline(time.Now().Add(o.slow)) // a writer without deadlines, as in tests, does not block
	if len(o.buf) > 0 {
		if _, err := o.w.Write(o.buf); err != nil {
			return err
		}
		o.buf = o.buf[:0]
	}
	if err := o.ctl.Flush(); err != nil {
		return err
	}
	_ = o.ctl.SetWriteDeadline(time.Time{})
	return nil
}
