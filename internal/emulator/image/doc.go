// Package image models container images that do not exist as data: which names and tags there are,
// their references after a pull, their files, and the program that they run.
//
// A Catalogue holds one Model for each known repository. An image of any other repository exists,
// has the usual tools, and its program runs until it is stopped. The programs are in
// internal/emulator/image/application, the tools in internal/emulator; each executable file names
// the one that it runs. Timeline and Probe judge a program by its command line alone, as far as the
// exact forms in timeline.go allow, for Pods that need nothing more.
//
// All functions are pure: no clock, no network, no host.
package image
