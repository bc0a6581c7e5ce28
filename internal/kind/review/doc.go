// Package review has the kinds whose objects are questions about users and their rights. They are
// answered and never stored.
package review
