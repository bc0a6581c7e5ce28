// Package collection understands what a request says of a collection: the options of a list or
// watch, the selectors, and the page that is wanted with its continue token.
package collection
