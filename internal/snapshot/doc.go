// Package snapshot is the file format of a cluster's state, or of a range of its log, and the
// validation of such files. It does not access a database: package store exports a state to a file,
// and loads one.
//
// A file is lines of JSON, compressed with gzip:
//
//	{"rowlock":"snapshot","format":1,…}   the Header: what the file holds, at which revision and cluster time
//	{"memory":{…}}                        what controllers remember beside objects
//	{"wakeup":{…}}                        syncs that are due, or will be
//	{"file":{…}}                          files of emulated nodes
//	{"answer":{…}}                        answers to requests of Pods, which they have not collected yet
//	{"version":{…}}                       objects, in the order of their revisions; of a log, changes
//	{"end":{"records":…,"sha256":…}}      how many lines stand between, and the sum of all that comes before this line
//
// Records are in this order. A file without its end, or with another sum, is refused as a whole
// (ErrDamaged), and so is anything after the end. Checker validates everything else in a file
// before it is used.
package snapshot
