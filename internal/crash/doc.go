// Package crash holds the tests that break things: several `rowlock serve` processes over one database, of which some are
// killed or stopped, or which lose their PostgreSQL, while clients go on working. What happened is then judged by the
// log (package history) and by what the survivors serve.
//
// ROWLOCK_CRASH_KILLS sets how many processes are killed altogether; 16 without it. ROWLOCK_BINARY names a built binary to
// test; without it the tests build one.
package crash
