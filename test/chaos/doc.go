// Package chaos holds the tests that break things: several `rowlock serve` processes over one
// database. Some of them are killed or stopped, or lose their PostgreSQL, while clients keep
// working. The log (package history) and the answers of the survivors are then checked.
//
// ROWLOCK_CRASH_KILLS sets how many processes are killed altogether; the default is 16.
// ROWLOCK_BINARY names a built binary to test; without it, the tests build one.
package chaos
