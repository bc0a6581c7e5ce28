//go:build !linux

package main

// memoryDir returns a directory in memory for the server; none is known.
func memoryDir() string { return "" }
