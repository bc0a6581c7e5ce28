// Package emulator is the entry to all that runs in Pods. A Pod is one deterministic machine: the
// processes, files, probes and hooks of its containers step in one order, in cluster time.
//
// A Machine is a value. It begins empty and changes only by inputs (Start, Terminate, Exec, Write,
// Answer) and by Run, which carries it on to a time and reports the events on the way. The same
// inputs at the same times always give the same machine, in any process and however often: it reads
// no clock, draws its random numbers from the Pod's uid, and reaches neither the host nor the
// network. A request of a container to the world outside becomes a pending query; the machine waits
// until the query is answered.
//
// Encode and Decode turn a machine into bytes and back. The stored state is that of the last input;
// everything later follows from it. So an input at a time discards what was computed ahead for
// later times, and nothing earlier. A program that never ends runs in bounded pieces; the end of
// each piece may be stored as the beginning of the next.
//
// The package makes no decisions: internal/reconcile/kubelet decides when to start, restart or stop
// a container.
package emulator
