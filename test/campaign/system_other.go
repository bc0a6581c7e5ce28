//go:build !unix

package main

import "errors"

var errNoFreeze = errors.New("processes cannot be stopped for a while on this system")

func freeze(int) error { return errNoFreeze }

func thaw(int) error { return errNoFreeze }

func children(int) []int { return nil }

func tracer(int) int { return 0 }

func firstProcess(string) (int, error) { return 0, errNoFreeze }

func promote(string) error { return errNoFreeze }
