// Package program has the programs of emulated containers that need processes, time or the network: sleep, kill, ps,
// xargs, timeout, wget and their like. It also runs the utilities, which know nothing of processes, as programs.
//
// Importing it provides all of them to internal/emulator/kernel, and the shells too.
package program

import _ "github.com/rowlock/rowlock/internal/emulator/shell" // provides sh, ash, dash and bash
