// Package scenario plays stories: text files of commands to a cluster and of the expected output.
//
// A story runs in this process, against a real PostgreSQL, with everything under control that
// differs from run to run: cluster time is paused at 2030-01-01 00:00:00 and moves only by command,
// no worker runs by itself, uids are counted, and the random ends of names are a, b, c, … in the
// order in which they are drawn. The hash of the n-th Pod template is shown as vn, so that the
// first ReplicaSet of a Deployment web is web-v1 and its Pods are web-v1-a, ….
//
// The commands:
//
//	apply                         kubectl apply of the manifests in the input
//	kubectl ARGS                  any other kubectl; the input is the file "-"
//	patch ARGS                    kubectl patch with the input as the patch
//	settle [show=plans|counts] [of=(C, …)] [limit=N]
//	                              run the controllers in turn, in a fixed order, until no work is due, or for N
//	                              transactions; show their plans, or how much these create and delete, or only
//	                              those of the controllers named
//	advance DURATION [show=plans|counts] [of=(C, …)]
//	                              let cluster time pass, from one thing due to the next, settling at each
//	mark NAME                     remember this point of the log
//	log RESOURCE [name=N] [since=NAME] [show=(FIELD, …)]
//	                              the versions of objects, one line each, as far as the fields changed; a field is a
//	                              dotted path, in which an element of a list goes by its type or name; for
//	                              Pods also ready and node
//	range [since=NAME] [of=PREFIX]
//	                              the least and the greatest number of ready and of active Pods at any revision, of
//	                              those whose names begin with PREFIX
//	events [of=KIND/NAME] [since=NAME] [reason=(REASON, …)]
//	                              the events in the order in which they were recorded
//
// The stories in testdata check the behaviours in their comments, and were written from those. The
// stories in testdata/regression were recorded from Rowlock: they detect changes, and prove
// nothing. Both can be rewritten with
//
//	go -C test/scenario test . -rewrite
//
// but do not commit a difference that you cannot explain.
package scenario
