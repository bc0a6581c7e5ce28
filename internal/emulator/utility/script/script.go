// Package script has the utilities that shell scripts use like words of their language: true, echo,
// test, expr, seq and the like.
package script

import "github.com/rowlock/rowlock/internal/emulator/utility"

// Utilities are the utilities of this package, by name.
var Utilities = map[string]utility.Utility{
	"true":   {Whole: func(*utility.Call, []byte) int { return 0 }},
	"false":  {Whole: func(*utility.Call, []byte) int { return 1 }},
	":":      {Whole: func(*utility.Call, []byte) int { return 0 }},
	"echo":   {Whole: echo},
	"test":   {Whole: test},
	"[":      {Whole: test},
	"expr":   {Whole: expr},
	"seq":    {New: func() utility.Stream { return &seq{} }},
	"factor": {Whole: factor, Stdin: noOperands},
}
