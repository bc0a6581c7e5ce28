// Package coordination defines Lease, the smallest complete kind. Start here to learn how to write
// a kind.
package coordination
