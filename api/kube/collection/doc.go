// Package collection interprets requests for a collection: the options of a list or watch, the
// selectors, and the pages of a list with their continue tokens.
package collection
