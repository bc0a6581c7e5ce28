package main

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

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
	if err := f.Failed(); err != nil {
		fmt.Fprintf(stdout, "this ends early: %v\n", err)
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
	case WrongClock, OldVersion:
		return f.befallProgram(ctx, fault, last)
	case StopMachine:
		return f.stopMachine(ctx, fault.For)
	case StopReplica:
		return f.stopped(ctx, fault.For, r)
	case StopAll:
		return f.stopped(ctx, fault.For, f.replicas...)
	case PartDatabase, PartToDatabase, PartFromBase, DelayDatabase, CutDatabase, LateStatements:
		disturb(ctx, r.toDatabase, fault, last)
	case CutClients, PartClients, PartAnswers, DelayClients, LateRequests:
		disturb(ctx, r.doors, fault, last)
	case DoubleRequests:
		f.doubleRequests(r, last)
	case PartStandby, DelayStandby:
		disturb(ctx, f.database.link, fault, last)
	case CrashDatabase, RestartDatabase, FailOver, FailOverLossy:
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
	case LoadSnapshot:
		return f.loadSnapshot(ctx, last)
	case LockTable:
		f.lockTable(ctx, last)
	case FullDisk, SlowDisk, FailFsync:
		return f.befallDisk(ctx, fault, last)
	}
	return nil
}

// giveUp is how long a replica waits for PostgreSQL, and a client for a replica, at most.
const giveUp = exercise.ClientTimeout

// disturb applies a fault to a link.
func disturb(ctx context.Context, l *link, fault Fault, last func()) {
	switch fault.Kind {
	case LateRequests, LateStatements:
		l.hold(there, true)
		exercise.Sleep(ctx, giveUp)
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
			if err := freeze(p.Pid); err != nil {
				return err
			}
			defer func() { _ = thaw(p.Pid) }() // it exists until it is killed
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
	case FailOverLossy:
		return f.failOverLossy(whole, last)
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
func (f *fleet) holdTransaction(ctx context.Context, last func()) { f.hold(ctx, sqlSnapshot, last) }

// lockTable locks the table that every write changes, as VACUUM FULL does.
func (f *fleet) lockTable(ctx context.Context, last func()) { f.hold(ctx, sqlLockTable, last) }

// hold keeps a transaction open after a statement, in a session that is not a replica's.
func (f *fleet) hold(ctx context.Context, sql string, last func()) {
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
	if _, err := tx.Exec(ctx, sql); err == nil {
		last()
	}
}

// doubleRequests sends every request of clients to a replica twice.
func (f *fleet) doubleRequests(r *replica, last func()) {
	f.mu.Lock()
	f.doubling++
	f.mu.Unlock()
	r.doors.double(true)
	last()
	r.doors.double(false)
	f.mu.Lock()
	f.doubling--
	f.doubledUntil = time.Now()
	f.mu.Unlock()
}

// doubled reports whether a request that was sent at a time or later may have arrived twice.
func (f *fleet) doubled(since time.Time) bool {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.doubling > 0 || since.Before(f.doubledUntil)
}
