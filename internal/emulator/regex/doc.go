// Package regex matches regular expressions whose text and pattern come from users, and bills the
// work.
//
// It parses and compiles with regexp/syntax but runs the program itself: it follows all threads of
// the program at once, character by character, so that a match takes at most len(text) ×
// instructions. It bills the instructions that it visits to the caller as it runs, and the caller
// may stop it by panicking in its Bill. The standard library's engine neither reports the cost of a
// match nor can be stopped.
//
// As in POSIX, the leftmost match counts, and the longest one of those. Submatches equal those that
// regexp.Regexp finds after Longest; a fuzz test compares the two.
package regex
