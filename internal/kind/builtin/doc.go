// Package builtin has the catalogue of all built-in kinds. It stands above the packages of the
// kinds, and its tests go through all of them.
package builtin
