// Package redis is the emulated Redis: its protocol, its keys and its commands, as a value without
// a clock, a process or a network.
//
// A [Server] holds the data, and a [Session] what the server knows of one connection. [Server.Talk]
// takes a client's bytes and returns the server's. Both types are plain data, so that they can be
// stored and carried on elsewhere. The holder of a connection keeps its Session and passes it with
// the next bytes: the server itself has no table of connections.
//
// Bounds: a command has at most maxCommand bytes, the data maxData, an answer maxAnswer, and one
// Talk does at most maxWork. A request that exceeds a bound gets an error that says so.
//
// Source: redis.io/docs/latest/commands and /develop/reference/protocol-spec
// Differs: RESP3, Pub/Sub, scripts, streams, WATCH, clusters and modules are not emulated; commands
// for them get an error.
package redis
