// Package script holds the emulated parts of Perl, Python, Node.js, Ruby and PHP: it parses the
// script of a container, and returns what it does. It runs nothing itself.
//
// A script of [Languages] is a list of calls, whose actions are known as soon as it is parsed.
// [Python] has variables and loops as well, and is run part by part. Anything else is not emulated:
// then the error is [ErrScript], and no part of the script runs.
package script
