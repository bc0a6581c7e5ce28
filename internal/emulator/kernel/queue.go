package kernel

import (
	"container/heap"
	"time"
)

// queue is a heap of the processes that wait for a time: the earliest first, and the oldest first
// among equals.
type queue []*Process

func (q queue) Len() int { return len(q) }

func (q queue) Less(i, j int) bool {
	return q[i].At < q[j].At || q[i].At == q[j].At && q[i].ID < q[j].ID
}

func (q queue) Swap(i, j int) {
	q[i], q[j] = q[j], q[i]
	q[i].place, q[j].place = i, j
}

// Push and Pop implement heap.Interface.
func (q *queue) Push(x any) {
	p := x.(*Process)
	p.place = len(*q)
	*q = append(*q, p)
}

func (q *queue) Pop() any {
	last := len(*q) - 1
	p := (*q)[last]
	(*q)[last], *q = nil, (*q)[:last]
	p.place = -1
	return p
}

// fix moves a process to the place that its time gives it.
func (q *queue) fix(p *Process) {
	switch {
	case !p.Timed:
		q.remove(p)
	case p.place < 0:
		heap.Push(q, p)
	case len(*q) > 1:
		heap.Fix(q, p.place)
	}
}

func (q *queue) remove(p *Process) {
	if p.place >= 0 {
		heap.Remove(q, p.place)
	}
}

// wake makes a process continue now, whatever it waits for.
func (k *Kernel) wake(p *Process) { k.wakeAt(p, k.Clock) }

func (k *Kernel) wakeAt(p *Process, at time.Duration) {
	if p.Dead() || p.Wait.For == Again && p.Timed {
		return
	}
	p.Wait, p.At, p.Timed = Wait{}, at, true
	k.queue.fix(p)
}

// Poke makes a process take its next step now, whatever it waits for, because its program was
// changed from outside.
func (k *Kernel) Poke(p *Process) {
	if !p.Dead() && (!p.Timed || p.At > k.Clock) {
		k.wake(p)
	}
}
