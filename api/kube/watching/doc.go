// Package watching sends the events of watches (a snapshot's objects, changes and bookmarks) as
// frames of an answer or messages of a websocket. api/kube decides where a watch begins.
package watching
