// Package review defines the reviews of users and their rights, which are answered and never
// stored.
package review
