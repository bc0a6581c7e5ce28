// Package tenancy is one PostgreSQL for all processes of a user that want a database for a while, as the instances of envtest do. The
// first of them starts it, and it stops some time after the last has gone.
//
// A directory stands for the server:
//
//	members          locked, shared, by every process that uses the server (Join)
//	server.lock      locked by the process that runs the server (Serve)
//	url              how to connect to it; written when it takes connections, removed before it stops
//	server.log       what the process that runs it has said
//
// The operating system gives locks back however a process ends, so what is left of one that was
// killed is nothing but a stale url, to which nobody can connect. Serve stops the server under an
// exclusive lock on members: who joins meanwhile waits, finds no url, and has the server started
// again.
//
// Every member makes databases of its own there (NewDatabase). A session holds an advisory lock for each; Sweep drops those whose
// lock is free, as their process has ended.
package tenancy
