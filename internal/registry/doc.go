// Package registry defines the meaning of a write: which object results from what was sent, what
// the writer is warned about, and why a write is refused. The API's verbs decode, call this package
// and encode; the applier of plans and previews call the same functions. They are functions of
// their arguments: time, uids, name suffixes and the rest of the cluster are passed in (Input);
// they store and log nothing. The name is upstream's (k8s.io/apiserver/pkg/registry).
//
// # A write is a list of steps
//
// Steps are named and run in order; Steps returns those of a kind. They belong to stages, whose
// order is upstream's:
//
//	create                       update                        stage
//	ResourceVersion              ResourceVersion               Lifecycle: may the write happen at all
//	NamespaceLifecycle  (waits)
//	Name                                                       Completion: what was sent becomes a whole object
//	Default                      Default
//	FieldOwners                  FieldOwners                   (managedFields: as sent, before admission adds anything)
//	Conversion                   Conversion                    (of a view to the kind that is stored)
//	Identity                                                   (uid and creation time)
//	Allocation          (waits)  Allocation          (waits)   (addresses and ports)
//	LimitRanger … RuntimeClass   -                             Mutation: admission plugins that complete the object
//	Preparation                  Preparation                   (what no client may choose)
//	Validation                   Validation                    Validation
//	LimitRanger … ResourceQuota  LimitRanger … ResourceQuota   Approval: admission plugins that may refuse the object
//	Warnings                     Warnings
//
// A subresource has the steps of an update with its own preparation, validation and admission, and
// without Allocation.
//
// # Admission
//
// The admission plugins of a kind are a list in its kind.Kind, in upstream's order and under
// upstream's names. A mutating webhook or policy comes last in the stage Mutation, a validating one
// after the plugins of Approval and before ResourceQuota; PodSecurity is a plugin of Pods. They are
// steps like the others. A step declares whether it Waits: whether it may wait for the network,
// today for a database read as new as the request, later for a webhook's answer. Its caller passes
// in how to wait (State). All other steps are pure.
//
// # What is not decided here
//
// Some checks are only conclusive while no other transaction can write. The store makes them under
// the row lock of its counter, in the transaction that commits the write: that the name is free,
// that the namespace exists and is not terminating, that the object is still the version that the
// update was decided on, that addresses and ports are free (kind.Kind.Reservations), and that the
// quotas of the namespace leave room (kind.Kind.Quota). This package's checks of namespaces and
// addresses are early answers: the store may still refuse the write, and its caller then decides it
// again.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/registry/generic/registry/store.go, Create, Update and Delete,
// .../registry/rest/create.go, BeforeCreate, .../registry/rest/update.go, BeforeUpdate, and
// pkg/kubeapiserver/options/plugins.go, AllOrderedPlugins
package registry
