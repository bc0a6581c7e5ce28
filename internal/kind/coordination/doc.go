// Package coordination has Lease. It is the smallest kind that has everything: begin here to learn
// how a kind is written.
package coordination
