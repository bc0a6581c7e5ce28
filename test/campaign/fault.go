package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"sync"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/rowlock/rowlock/api/v1"
	"github.com/rowlock/rowlock/internal/pg"
	"github.com/rowlock/rowlock/test/exercise"
)

// inject injects the faults of a schedule, one group after the other, until the time is over, and
// counts them. It repairs everything at the end.
func (f *fleet) inject(ctx context.Context, faults []Fault, duration time.Duration, stdout io.Writer) map[Kind]int {
	count := map[Kind]int{}
	end := time.Now().Add(duration)
	for i := 0; i < len(faults) && time.Now().Before(end) && ctx.Err() == nil && f.Failed() == nil; {
		exercise.Sleep(ctx, faults[i].After)
		var group sync.WaitGroup
		for first := i; i == first || i < len(faults) && faults[i].Together; i++ {
			fault := faults[i]
			count[fault.Kind]++
			if f.verbose {
				fmt.Fprintf(stdout, "%s %s\n", time.Now().UTC().Format("15:04:05.000"), fault)
			}
			group.Go(func() {
				if err := f.befall(ctx, fault); err != nil {
					f.fail(fmt.Errorf("%s: %w", fault.Kind, err))
				}
			})
		}
		group.Wait()
	}
	for _, r := range f.replicas {
		r.toDatabase.mend()
		r.doors.mend()
	}
	f.database.link.mend()
	return count
}

// befall injects a fault, waits and repairs it.
func (f *fleet) befall(ctx context.Context, fault Fault) error {
	r := f.replicas[fault.Replica]
	last := func() { exercise.Sleep(ctx, fault.For) }
	switch fault.Kind {
	case KillReplica:
		r.kill()
		last()
		return r.start(context.WithoutCancel(ctx))
	case StopReplica:
		return f.stopped(ctx, fault.For, r)
	case StopAll:
		return f.stopped(ctx, fault.For, f.replicas...)
	case PartDatabase, PartToDatabase, PartFromBase, DelayDatabase, CutDatabase:
		disturb(r.toDatabase, fault, last)
	case CutClients, PartClients, PartAnswers, DelayClients:
		disturb(r.doors, fault, last)
	case PartStandby, DelayStandby:
		disturb(f.database.link, fault, last)
	case CrashDatabase, RestartDatabase, FailOver:
		return f.befallDatabase(ctx, fault, last)
	case EndSessions:
		for end := time.Now().Add(fault.For); time.Now().Before(end) && ctx.Err() == nil; exercise.Sleep(ctx, 30*time.Millisecond) {
			_ = f.database.exec(ctx, sqlTerminate) // it may be down
		}
	case TakeConnections:
		f.takeConnections(ctx, last)
	case OldTransaction:
		f.holdTransaction(ctx, last)
	case PauseClock, SpeedClock, AdvanceClock:
		return f.befallClock(ctx, fault, last)
	case Fork:
		return f.fork(ctx, last)
	}
	return nil
}

// disturb applies a fault to a link.
func disturb(l *link, fault Fault, last func()) {
	switch fault.Kind {
	case PartDatabase, PartClients, PartStandby:
		l.hold(there, true)
		l.hold(back, true)
	case PartToDatabase:
		l.hold(there, true)
	case PartFromBase, PartAnswers:
		l.hold(back, true)
	case DelayDatabase, DelayClients, DelayStandby:
		l.delay(fault.For / 50)
	case CutDatabase, CutClients:
		l.refuse(true)
		l.cut()
	default:
	}
	last()
	l.mend()
}

// stopped stops replicas for a while.
func (f *fleet) stopped(ctx context.Context, d time.Duration, all ...*replica) error {
	for _, r := range all {
		if p := r.process(); p != nil {
			if err := freeze(p); err != nil {
				return err
			}
			defer func() { _ = thaw(p) }() // it exists until it is killed
		}
	}
	exercise.Sleep(ctx, d)
	return nil
}

func (f *fleet) befallDatabase(ctx context.Context, fault Fault, last func()) error {
	whole := context.WithoutCancel(ctx)
	switch fault.Kind {
	case FailOver:
		f.renewed.Add(1)
		return f.database.failOver(whole)
	case RestartDatabase:
		f.database.stop(&f.database.primary, exercise.Patience)
	default:
		f.database.stop(&f.database.primary, 0)
	}
	last()
	return f.database.startPrimary(whole)
}

// takeConnections takes all available connections, and ends sessions of replicas, which then find
// none.
func (f *fleet) takeConnections(ctx context.Context, last func()) {
	at, err := f.database.url()
	if err != nil {
		return
	}
	var taken []interface{ Close() }
	defer func() {
		for _, p := range taken {
			p.Close()
		}
	}()
	for range 3 {
		for _, r := range f.replicas {
			r.toDatabase.cutOne()
		}
		for len(taken) < 2*connections {
			pool, err := pg.Open(ctx, oneSession(at))
			if err != nil {
				break // all are taken
			}
			taken = append(taken, pool)
		}
	}
	last()
}

// holdTransaction keeps a transaction open that has read.
func (f *fleet) holdTransaction(ctx context.Context, last func()) {
	at, err := f.database.url()
	if err != nil {
		return
	}
	pool, err := pg.Open(ctx, oneSession(at+"&idle_in_transaction_session_timeout=0"))
	if err != nil {
		return
	}
	defer pool.Close()
	tx, err := pool.Begin(ctx)
	if err != nil {
		return
	}
	defer tx.Rollback(context.Background()) //nolint:errcheck // the server may have ended it
	var n int
	if tx.QueryRow(ctx, sqlSnapshot).Scan(&n) == nil {
		last()
	}
}

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
		if apierrors.IsNotFound(err) || apierrors.IsAlreadyExists(err) {
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
	if _, err := f.ask(whole, "POST", v1.ForksPath, v1.ForkRequest{Name: name}); err != nil && !apierrors.IsAlreadyExists(err) {
		return err
	}
	last()
	if _, err := f.send(whole, "DELETE", v1.ForksPath+"/"+name, ""); err != nil && !apierrors.IsNotFound(err) {
		return err
	}
	return nil
}
