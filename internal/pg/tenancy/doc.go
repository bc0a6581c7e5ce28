// Package tenancy shares one PostgreSQL among all processes of a user that need a database for a
// while, such as the instances of envtest. The first of them starts it, and it stops some time
// after the last has gone.
//
// A directory stands for the server:
//
//	members          locked, shared, by every process that uses the server (Join)
//	server.lock      locked by the process that runs the server (Serve)
//	url              how to connect to it; written when it takes connections, removed before it stops
//	server.log       what the process that runs it has said
//
// The operating system releases locks however a process ends, so a killed process leaves at most a
// stale url, which accepts no connections. Serve stops the server under an exclusive lock on
// members: a process that joins meanwhile waits, finds no url, and has the server started again.
//
// Every member has databases of its own there (NewDatabase). A session holds an advisory lock for
// each; Sweep drops those whose lock is free, because their process has ended. One spare database
// may be there besides, which has no owner yet (Prepare).
package tenancy
