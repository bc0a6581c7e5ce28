//go:build !linux

package main

// releaseProgram does nothing: only Linux tells how to find the program's pages, and to release
// them.
func releaseProgram() {}
