package main

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strconv"
	"time"
)

// Kind is a kind of fault.
type Kind string

// The kinds of faults. Links connect clients with a replica, a replica with the primary, and the
// standby with the primary.
const (
	KillReplica     Kind = "a replica is killed"
	StopReplica     Kind = "a replica is stopped for a while"
	StopAll         Kind = "all replicas are stopped for a while"
	PartDatabase    Kind = "a replica and the database are parted"
	PartToDatabase  Kind = "what a replica sends to the database waits"
	PartFromBase    Kind = "what the database sends to a replica waits"
	DelayDatabase   Kind = "the database is far from a replica"
	CutDatabase     Kind = "a replica's connections to the database are cut and refused"
	EndSessions     Kind = "sessions are ended one by one"
	CrashDatabase   Kind = "PostgreSQL crashes"
	RestartDatabase Kind = "PostgreSQL restarts"
	CutClients      Kind = "clients' connections to a replica are cut"
	PartClients     Kind = "clients and a replica are parted"
	PartAnswers     Kind = "a replica's answers wait"
	DelayClients    Kind = "clients are far from a replica"
	PartStandby     Kind = "the standby and the primary are parted"
	DelayStandby    Kind = "the standby is far from the primary"
	FailOver        Kind = "failover to the synchronous standby"
	TakeConnections Kind = "all connections are taken, and sessions ended"
	OldTransaction  Kind = "a foreign transaction stays open"
	PauseClock      Kind = "the cluster's clock is paused"
	SpeedClock      Kind = "the cluster's clock runs fast"
	AdvanceClock    Kind = "the cluster's clock is advanced"
	Fork            Kind = "a fork is made and deleted"
	StopMachine     Kind = "replicas and database stand still"
	LateRequests    Kind = "clients' requests arrive after they gave up"
	LateStatements  Kind = "a replica's statements arrive after it gave up"
	DoubleRequests  Kind = "clients' requests arrive twice"
	LockTable       Kind = "a foreign session locks a table"
	LoadSnapshot    Kind = "a snapshot is saved and loaded into a fork"
	FailOverLossy   Kind = "failover to an asynchronous standby that lost its tail"
	FullDisk        Kind = "the database's disk is full"
	SlowDisk        Kind = "the database's disk is slow"
	FailFsync       Kind = "an fsync of the database fails"
	WrongClock      Kind = "the clock of a replica's machine is wrong by an hour"
	OldVersion      Kind = "a replica of the version before tries to start"
)

// Fault is one fault.
type Fault struct {
	Kind     Kind
	Replica  int           // for kinds that affect one replica
	After    time.Duration // since the end of the previous one; 0 for one that begins together with it
	Together bool
	For      time.Duration
}

// String returns "2.1s later: a replica is killed (2), for 300ms".
func (f Fault) String() string {
	when := f.After.String() + " later"
	if f.Together {
		when = "and"
	}
	return fmt.Sprintf("%s: %s (%d), for %v", when, f.Kind, f.Replica+1, f.For)
}

// deck lists the kinds, each by its frequency.
var deck = slices.Concat(
	slices.Repeat([]Kind{KillReplica}, 5), slices.Repeat([]Kind{CrashDatabase, StopReplica, PartDatabase}, 3),
	slices.Repeat([]Kind{
		CutDatabase, EndSessions, CutClients, PartClients, PartToDatabase, PartFromBase, DelayDatabase, PartStandby, FailOver, RestartDatabase, StopAll,
		DoubleRequests, FullDisk, FailFsync, FailOverLossy, StopMachine,
	}, 2),
	[]Kind{
		PartAnswers, DelayClients, DelayStandby, TakeConnections, OldTransaction, PauseClock, SpeedClock, AdvanceClock, Fork,
		LateRequests, LateStatements, LockTable, LoadSnapshot, SlowDisk, WrongClock, OldVersion,
	},
)

// replicas is the number of replicas.
const replicas = 3

// schedule returns the first n faults of a seed: a smaller n gives a prefix of a larger one. Each
// kind comes as often as in the deck, in another order each time; up to three affect different
// parts together.
func schedule(seed uint64, n int, deck []Kind) []Fault {
	draw := rand.New(rand.NewPCG(seed, 19))
	var faults []Fault
	var cards []Kind
	touched := map[string]bool{} // by those that are together
	together := 0
	for len(faults) < n {
		if len(cards) == 0 {
			cards = slices.Clone(deck)
			draw.Shuffle(len(cards), func(i, j int) { cards[i], cards[j] = cards[j], cards[i] })
		}
		f := Fault{Kind: cards[0], Replica: draw.IntN(replicas), For: between(draw, 100*time.Millisecond, 4*time.Second)}
		after, join := between(draw, 300*time.Millisecond, 2*time.Second), draw.IntN(2) == 0
		cards = cards[1:]
		f.Together = len(faults) > 0 && join && together < 3 && !slices.ContainsFunc(f.touches(), func(part string) bool { return touched[part] })
		if together++; !f.Together {
			f.After, together = after, 1
			clear(touched)
		}
		for _, part := range f.touches() {
			touched[part] = true
		}
		faults = append(faults, f)
	}
	return faults
}

func between(draw *rand.Rand, least, most time.Duration) time.Duration {
	return (least + time.Duration(draw.Int64N(int64(most-least)))).Round(time.Millisecond)
}

// touches returns the parts that a fault changes. Two concurrent faults must not share any.
func (f Fault) touches() []string {
	one := strconv.Itoa(f.Replica)
	switch f.Kind {
	case KillReplica, StopReplica, WrongClock, OldVersion:
		return []string{"replica " + one}
	case StopAll:
		return everyReplica
	case StopMachine:
		return slices.Concat(everyReplica, everyServer)
	case PartDatabase, PartToDatabase, PartFromBase, DelayDatabase, CutDatabase, LateStatements:
		return []string{"database of " + one}
	case CutClients, PartClients, PartAnswers, DelayClients, LateRequests, DoubleRequests:
		return []string{"clients of " + one}
	case CrashDatabase, RestartDatabase, TakeConnections, FullDisk, SlowDisk, FailFsync:
		return []string{"primary"}
	case PartStandby, DelayStandby:
		return []string{"standby"}
	case FailOver:
		return everyServer
	case FailOverLossy: // it may undo what was acknowledged about the clock and forks
		return append(slices.Clone(everyServer), "clock", "forks")
	case PauseClock, SpeedClock, AdvanceClock:
		return []string{"clock"}
	case Fork, LoadSnapshot:
		return []string{"forks"}
	case EndSessions, OldTransaction, LockTable:
	}
	return []string{string(f.Kind)}
}

var (
	everyReplica = []string{"replica 0", "replica 1", "replica 2"}
	everyServer  = []string{"primary", "standby"}
)
