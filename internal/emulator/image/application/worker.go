package application

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/rowlock/rowlock/internal/emulator/image/redis"
	"github.com/rowlock/rowlock/internal/emulator/kernel"
)

// Worker is the worker of the Job with a work queue in Kubernetes' docs: it takes items from the
// list job2 of a Redis that is called redis, works on each for ten seconds, and ends when there are
// none left.
//
// Source: kubernetes/website content/en/examples/application/job/redis/worker.py and rediswq.py
type Worker struct {
	Begun   bool          `json:",omitempty"`
	Phase   workerPhase   `json:",omitempty"`
	Looked  bool          `json:",omitempty"` // it has printed whether the queue was empty
	Session string        `json:",omitempty"`
	Redis   connection    // to the Redis
	Item    kernel.Text   `json:",omitempty"`
	Until   time.Duration `json:",omitempty"` // the end of its work
}

type workerPhase int

// The phases of a worker.
const (
	workerLooks workerPhase = iota
	workerTakes
	workerLeases
	workerWorks
	workerCompletes
)

const (
	workQueue = "job2"
	inWork    = workQueue + ":processing"
	leases    = workQueue + ":leased_by_session:"

	workTime      = 10 * time.Second
	workerTimeout = 2 * time.Minute // of a connection
)

// Step implements kernel.Program.
func (w *Worker) Step(p *kernel.Process) kernel.Wait {
	if !w.Begun {
		w.Begun, w.Redis = true, to("redis", 6379)
		high, low := p.Random(), p.Random()
		w.Session = fmt.Sprintf("%08x-%04x-4%03x-%04x-%012x", uint32(high), uint16(high>>32), uint16(high>>48)&0xfff, uint16(low)&0x3fff|0x8000, low>>16)
		say(p, 1, "Worker with sessionID: "+w.Session+"\n")
	}
	if w.Phase == workerWorks {
		if p.Since() < w.Until {
			return kernel.Wait{For: kernel.Time, Until: w.Until}
		}
		w.Phase = workerCompletes
		return kernel.Wait{}
	}
	if wait, done := w.Redis.exchange(p, w.command(), workerTimeout); !done {
		return wait
	}
	if w.Redis.Failed != kernel.OutcomeOK {
		message := "Error 111 connecting to redis:6379. Connection refused."
		if w.Redis.Failed == kernel.OutcomeNoName {
			message = "Error -2 connecting to redis:6379. Name or service not known."
		}
		return w.fail(p, message)
	}
	var replies []redis.Reply
	for rest := []byte(w.Redis.Got); len(rest) > 0; {
		r, n, err := redis.ParseReply(rest)
		if err != nil || n == 0 {
			return w.fail(p, "Protocol Error")
		}
		if r.Kind == '-' {
			return w.fail(p, r.Text)
		}
		replies, rest = append(replies, r), rest[n:]
	}
	if len(replies) == 0 {
		return w.fail(p, "Connection closed by server.")
	}
	return w.next(p, replies)
}

// command returns the worker's next command to the Redis.
func (w *Worker) command() string {
	sum := sha256.Sum224([]byte(w.Item))
	lease := leases + hex.EncodeToString(sum[:])
	switch w.Phase {
	case workerTakes:
		return redis.Command("BRPOPLPUSH", workQueue, inWork, "2")
	case workerLeases:
		return redis.Command("SETEX", lease, "10", w.Session)
	case workerCompletes:
		return redis.Command("LREM", inWork, "0", string(w.Item)) + redis.Command("DEL", lease)
	case workerLooks, workerWorks:
	}
	return redis.Command("LLEN", workQueue) + redis.Command("LLEN", inWork)
}

func (w *Worker) next(p *kernel.Process, replies []redis.Reply) kernel.Wait {
	switch w.Phase {
	case workerLooks:
		empty := len(replies) == 2 && replies[0].Text == "0" && replies[1].Text == "0"
		if !w.Looked {
			w.Looked = true
			say(p, 1, "Initial queue state: empty="+map[bool]string{true: "True", false: "False"}[empty]+"\n")
		}
		if empty {
			say(p, 1, "Queue empty, exiting\n")
			return kernel.Done(0)
		}
		w.Phase = workerTakes
	case workerTakes:
		if replies[0].Nil {
			say(p, 1, "Waiting for work\n")
			w.Phase = workerLooks
			break
		}
		w.Item, w.Phase = kernel.Text(replies[0].Text), workerLeases
	case workerLeases:
		say(p, 1, "Working on "+string(w.Item)+"\n")
		w.Until, w.Phase = p.In(workTime), workerWorks
	case workerCompletes, workerWorks:
		w.Phase = workerLooks
	}
	return kernel.Wait{}
}

// fail ends as Python does after an exception.
func (w *Worker) fail(p *kernel.Process, why string) kernel.Wait {
	say(p, 2, "Traceback (most recent call last):\nredis.exceptions.ConnectionError: "+why+"\n")
	return kernel.Done(1)
}

func init() {
	kernel.Register("redis-worker", &Worker{})
	kernel.Provide("redis-worker", func([]string) kernel.Program { return &Worker{} })
}
