// Package image models container images that are not there: which names and tags exist, what they are called once
// pulled, how long their main process runs, which ports it serves and what it does on TERM.
//
// A Catalogue holds one Model per known repository; an image of any other repository exists and runs until it is
// stopped. Programs are judged from their command line alone, as far as the exact forms in timeline.go go; whatever
// is not understood runs until it is stopped and answers its probes.
//
// Everything here is a function of its arguments: no clock, no network, no host.
package image
