// Package program has the programs of emulated containers that need processes, time or the network: sleep, kill, ps,
// xargs, timeout, wget and their like. It also runs the utilities, which know nothing of processes, as programs.
//
// Importing it provides all of them to internal/machine/kernel.
package program
