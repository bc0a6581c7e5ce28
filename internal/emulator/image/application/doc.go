// Package application holds the programs of emulated images: servers and interpreters of languages,
// each emulated in part. They run as processes of internal/emulator/kernel, and are provided there
// under the names that executable files use.
//
// A program that is known but not emulated says so on its standard error. If it is the main program
// of a container, its stand-in, if any, replaces it, so that the container counts as running. All
// others end with NotEmulatedCode, so that their caller does not continue as if they had worked.
package application
