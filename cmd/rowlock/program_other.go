//go:build !linux

package main

// releaseProgram does nothing: only on Linux does the process know where its pages are.
func releaseProgram() {}
