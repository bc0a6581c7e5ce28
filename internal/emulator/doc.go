// Package emulator is the door to what runs in Pods. A Pod is one deterministic machine: its containers' processes, files, probes
// and hooks step in one order, in the cluster's time.
//
// A Machine is a value. It begins empty, changes only by inputs (Start, Terminate, Exec, Write, Answer) and by Run,
// which carries it on to a time and tells what happened on the way. The same inputs at the same times always give the
// same machine, in whichever process and however often: it reads no clock, draws its random numbers from the Pod's uid,
// and reaches neither the host nor the network. What a container asks of others becomes a pending query, at which the
// machine stands still until it is answered.
//
// Encode and Decode make bytes of it and a machine of those. What is stored is the state at the last input, from which
// everything after it follows; so an input at a time drops what had been foreseen for later, and nothing before it. A
// program that never ends is run in bounded pieces, and each piece may be stored as the beginning of the next.
//
// It judges nothing: whether a container is started, restarted or stopped is up to internal/reconcile/kubelet.
package emulator
