// Package render shows clients what is stored: versions as objects, lists, tables and partial
// metadata, in JSON or protobuf. A Resource does so for one kind.
//
// Objects that clients get as they are stored are assembled from the stored bytes, without
// decoding.
package render
