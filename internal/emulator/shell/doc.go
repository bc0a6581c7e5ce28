// Package shell holds the shells of emulated containers: busybox' ash, dash and bash, as far as the
// commands of workloads use them.
//
// Package code compiles a script into a flat list of instructions. A [Shell] is a program of the
// kernel that executes one instruction in each step. All of its state is in its exported fields:
// its sources and its position in them, variables, the stack of loops, functions and redirections,
// and unfinished words. So it can be written as JSON between any two steps and carried on
// elsewhere; the instructions are compiled again from the source.
//
// As in Unix, subshells, the stages of pipelines and command substitutions are separate processes:
// they start with a copy of the shell. Programs come from the files of the sandbox. If a script
// uses something that is not emulated, the shell says so on standard error and exits with 2; it
// never ignores anything silently.
package shell
