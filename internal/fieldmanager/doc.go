// Package fieldmanager tracks who owns which field of an object: metadata.managedFields, which
// server-side apply and its conflicts use. Every write, of a client or of a worker, passes through
// Created, Updated or Apply before it is stored. The package is pure: the time of a write comes
// with its Writer.
//
// Upstream's schema says which lists are sets or maps with keys, and which structures are owned as
// a whole.
package fieldmanager
