// Package shell is the shells of emulated containers: busybox' ash, dash and bash, as far as the commands of workloads use
// them.
//
// mvdan.cc/sh parses a script, and a compiler makes a flat list of instructions of it. A [Shell] is a program of the
// kernel that executes one of them in each step. All that it knows is in its exported fields: the sources that it runs and
// where in them it is, variables, the stack of loops, functions and redirections that it is in, words that are being put
// together. So it can be written as JSON between any two steps and carried on elsewhere; the instructions are compiled
// again from the source.
//
// Subshells, the stages of pipelines and command substitutions are processes of their own, as in Unix: they begin with a
// copy of the shell. Programs are found in the files of the sandbox. What is not emulated is said on standard error, and
// the shell exits with 2; nothing is left out silently.
package shell
