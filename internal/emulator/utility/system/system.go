// Package system has the utilities that describe the emulated node, its network, and the user.
package system

import "github.com/rowlock/rowlock/internal/emulator/utility"

// Utilities are the utilities of this package, by name.
var Utilities = map[string]utility.Utility{
	// The user and the environment.
	"id":       {Whole: id},
	"whoami":   {Whole: whoami},
	"logname":  {Whole: whoami},
	"groups":   {Whole: groups},
	"env":      {Whole: env},
	"printenv": {Whole: printenv},
	"tty":      {Whole: tty},

	// The node.
	"hostname": {Whole: hostname},
	"uname":    {Whole: uname},
	"arch":     {Whole: arch},
	"nproc":    {Whole: nproc},
	"uptime":   {Whole: uptime},
	"free":     {Whole: free},
	"sysctl":   {Whole: sysctl},
	"mount":    {Whole: mount},
	"sync":     {Whole: nothing},

	// The network.
	"ip":       {Whole: ip},
	"ifconfig": {Whole: ifconfig},
}
