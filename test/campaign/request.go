package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/test/exercise"
)

// send sends a request for Rowlock's own operations to alternating replicas until it is answered,
// or refused for good.
func (f *fleet) send(ctx context.Context, verb, path, body string) ([]byte, error) {
	var err error
	n := 0
	for deadline := time.Now().Add(exercise.Patience); time.Now().Before(deadline) && ctx.Err() == nil; exercise.Sleep(ctx, 100*time.Millisecond) {
		n++
		client := f.Any(n)
		if client == nil {
			continue
		}
		asked, cancel := context.WithTimeout(ctx, 2*exercise.ClientTimeout)
		done := client.CoreV1().RESTClient().Verb(verb).AbsPath(path).SetHeader("Content-Type", "application/json").Body([]byte(body)).Do(asked)
		cancel()
		if err = done.Error(); err == nil {
			return done.Raw()
		}
		if apierrors.IsNotFound(err) || apierrors.IsAlreadyExists(err) || apierrors.IsMethodNotSupported(err) ||
			apierrors.IsInvalid(err) || apierrors.IsBadRequest(err) {
			return nil, err
		}
	}
	return nil, fmt.Errorf("%s %s: %w", verb, path, err)
}

// ask sends a request whose body is JSON.
func (f *fleet) ask(ctx context.Context, verb, path string, body any) ([]byte, error) {
	doc, err := json.Marshal(body)
	if err != nil {
		return nil, err
	}
	return f.send(ctx, verb, path, string(doc))
}

// befallClock changes the clock for a while.
func (f *fleet) befallClock(ctx context.Context, fault Fault, last func()) error {
	whole := context.WithoutCancel(ctx)
	change := map[Kind]v1.ClockRequest{
		PauseClock: {Paused: new(true)}, SpeedClock: {Speed: new(60.0)}, AdvanceClock: {Advance: &v1.ClockAdvanceRequest{By: new("90s")}},
	}[fault.Kind]
	if _, err := f.ask(whole, "POST", v1.ClockPath, change); err != nil {
		return err
	}
	last()
	switch fault.Kind {
	case PauseClock:
		change = v1.ClockRequest{Paused: new(false)}
	case SpeedClock:
		change = v1.ClockRequest{Speed: new(f.speed)}
	default:
		_, err := f.send(whole, "DELETE", v1.AdvancePath, "") // if it still goes on
		return err
	}
	_, err := f.ask(whole, "POST", v1.ClockPath, change)
	return err
}

// fork makes a fork and deletes it.
func (f *fleet) fork(ctx context.Context, last func()) error {
	whole := context.WithoutCancel(ctx)
	name := fmt.Sprintf("campaign-%d", time.Now().UnixNano())
	if _, err := f.makeFork(whole, v1.ForkRequest{Name: name}); err != nil {
		return err
	}
	last()
	if _, err := f.send(whole, "DELETE", v1.ForksPath+"/"+name, ""); err != nil && !apierrors.IsNotFound(err) {
		return err
	}
	return nil
}

// loadSnapshot saves a snapshot, makes a fork from it, and judges that it holds what the cluster held
// at its revision, and everything that was acknowledged before it was asked for.
func (f *fleet) loadSnapshot(ctx context.Context, last func()) error {
	whole := context.WithoutCancel(ctx)
	name := fmt.Sprintf("loaded-%d", time.Now().UnixNano())
	floor := f.clients.Newest()
	if err := f.save(whole, name); err != nil {
		return err
	}
	at, err := f.makeFork(whole, v1.ForkRequest{Name: name, Snapshot: name})
	if err != nil {
		return err
	}
	doc, err := f.send(whole, "GET", v1.ForkPrefix+name+exercise.QuietPath, "")
	if err != nil {
		return err
	}
	if err := f.clients.NoteCopy(floor, at, doc); err != nil {
		return err
	}
	last()
	for _, path := range []string{v1.ForksPath, v1.SnapshotsPath} {
		if _, err := f.send(whole, "DELETE", path+"/"+name, ""); err != nil && !apierrors.IsNotFound(err) {
			return err
		}
	}
	return nil
}

// save saves a snapshot. An earlier request may still be saving it, and may undo that because its
// client has gone.
func (f *fleet) save(ctx context.Context, name string) (err error) {
	saved := exercise.Retry(ctx, 100*time.Millisecond, func() bool {
		if _, err = f.ask(ctx, "POST", v1.SnapshotsPath, v1.SnapshotRequest{Name: name}); !apierrors.IsAlreadyExists(err) {
			return true
		}
		_, err = f.send(ctx, "GET", v1.SnapshotsPath+"/"+name, "")
		return !apierrors.IsNotFound(err)
	})
	if !saved {
		err = fmt.Errorf("the snapshot %s is never saved: %w", name, err)
	}
	return err
}

// makeFork makes a fork and returns the revision that it started with. An earlier request may still
// be making it, and may undo that because its client has gone.
func (f *fleet) makeFork(ctx context.Context, r v1.ForkRequest) (at object.Revision, err error) {
	made := exercise.Retry(ctx, 100*time.Millisecond, func() bool {
		if _, err = f.ask(ctx, "POST", v1.ForksPath, r); err != nil && !apierrors.IsAlreadyExists(err) {
			return true
		}
		var doc []byte
		if doc, err = f.send(ctx, "GET", v1.ForksPath, ""); err != nil {
			return true
		}
		var forks v1.ForkList
		if err = json.Unmarshal(doc, &forks); err != nil {
			return true
		}
		for _, fork := range forks.Items {
			if fork.Name == r.Name && fork.State == "ready" {
				at = object.Revision(fork.Revision)
			}
		}
		return at > 0
	})
	if !made {
		err = fmt.Errorf("fork %s is never ready", r.Name)
	}
	return at, err
}
