// Package program holds the programs of emulated containers that need processes, time or the
// network: sleep, kill, ps, xargs, timeout, wget and the like. It also runs the utilities as
// programs, because they do not use processes.
//
// Importing it provides all of them, and the shells, to internal/emulator/kernel.
package program

import _ "github.com/rowlock/rowlock/internal/emulator/shell" // provides sh, ash, dash and bash
