// Package regex matches regular expressions whose text and whose pattern come from users, and bills the work.
//
// It parses and compiles with regexp/syntax and executes the program itself: it follows all threads of the program at
// once, character by character, so that a match takes at most len(text) × instructions. What it really visits is billed
// to the caller while it goes on, and the caller may stop it by panicking in its Bill. The standard library's engine
// tells nobody what a match costs and cannot be stopped.
//
// The leftmost match counts, and of those the longest, as POSIX has it. Submatches are those that
// regexp.Regexp gives after Longest; a fuzz test compares the two.
package regex
