// Package builtin holds the catalogue of all built-in kinds. It imports the packages of the kinds,
// and its tests run over all of them.
package builtin
