// Package definition derives the catalogue of a cluster from its CustomResourceDefinitions.
//
// A Catalogue observes a mirror, so that it is a function of the log: every replica at a revision,
// and every fork and snapshot of it, has the same kinds. It returns a value (kind.Catalogue), which
// is made on request when something has changed. Only the names in a definition are read then. Its
// schemas are read at the first write or read of an object that needs them.
//
//	NamesAccepted or Established  the kinds of its versions are there: a Kind for the storage version, and a view of that for each other
//	Established                   they are in discovery
//	deletionTimestamp             nothing is created any more: the SQL function apply judges that under the counter
//
// The kinds of a definition have the names that its status has accepted.
package definition
