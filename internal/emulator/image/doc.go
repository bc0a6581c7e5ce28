// Package image models container images that are not there: which names and tags exist, what they are called once
// pulled, which files they have, and which program they run.
//
// A Catalogue holds one Model per known repository; an image of any other repository exists, has the usual tools, and
// its program runs until it is stopped. The programs themselves are in internal/emulator/image/application, the tools in
// internal/emulator; which of them a file runs is said by the file. Timeline and Probe judge a program from its command
// line alone, as far as the exact forms in timeline.go go, for Pods that need nothing more.
//
// Everything here is a function of its arguments: no clock, no network, no host.
package image
