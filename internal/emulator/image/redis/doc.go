// Package redis is the emulated Redis: its protocol, its keys and its commands, as a value without a clock, a process or a network.
//
// A [Server] is the data, a [Session] what the server knows of one connection. [Server.Talk] takes what a client has sent and gives what it
// is to get. Both are plain data, so that they can be stored and carried on elsewhere. Whoever holds the connection keeps its Session and
// brings it back with the next bytes: the server itself has no table of connections.
//
// Bounds: a command has maxCommand bytes, the data maxData, an answer maxAnswer, and all that one Talk does maxWork. What goes beyond is
// refused with an error that says so.
//
// Source: redis.io/docs/latest/commands and /develop/reference/protocol-spec
// Differs: RESP3, Pub/Sub, scripts, streams, WATCH, clusters and modules are not emulated, and say so.
package redis
