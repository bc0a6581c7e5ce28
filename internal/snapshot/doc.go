// Package snapshot is the format in which a cluster's state, or a range of its log, is written down, and the judgement of such
// files. It reaches no database: package store reads a state out of one and puts it into another.
//
// A file is lines of JSON, compressed with gzip:
//
//	{"rowlock":"snapshot","format":1,…}   the Header: what the file holds, at which revision and cluster time
//	{"memory":{…}}                        what controllers remember beside objects
//	{"wakeup":{…}}                        looks that are due, or will be
//	{"file":{…}}                          files of emulated nodes
//	{"answer":{…}}                        answers to requests of Pods, which they have not picked up yet
//	{"version":{…}}                       objects, in the order of their revisions; of a log, changes
//	{"end":{"records":…,"sha256":…}}      how many lines stand between, and the sum of all that comes before this line
//
// Records stand in this order. A file without its end, or with another sum, is refused as a whole (ErrDamaged), as is what comes
// behind the end. All else in a file is judged by Checker before anything is done with it.
package snapshot
