// Package render shows clients what is stored: versions as objects, lists, tables and partial
// metadata, in JSON or protobuf. A Resource does so for one kind.
//
// Versions are sent as they are stored wherever that is what the client gets: their bytes are
// spliced together and not decoded.
package render
