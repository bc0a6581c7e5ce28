// Package code compiles the scripts of emulated shells: mvdan.cc/sh parses a source, and a compiler
// turns it into a flat list of instructions, which package shell executes one by one.
//
// The same source always gives the same code, so code is never stored. What is not emulated becomes
// an instruction that says so when it is reached.
package code
