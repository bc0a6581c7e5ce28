// Package kind defines Kind, which holds everything that differs from kind to kind. The kinds
// themselves are in subpackages by API group; package builtin has their catalogue. The semantics of
// writes (internal/registry) and the verbs in api/kube are written once over this catalogue.
// Everything here is pure: no clock, no randomness, no I/O.
package kind

import (
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	authorizationv1 "k8s.io/api/authorization/v1"
	autoscalingv1 "k8s.io/api/autoscaling/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/rowlock/rowlock/internal/customresource"
	"github.com/rowlock/rowlock/internal/object"
)

// Kind describes one served kind. Function fields may be nil if their comment says so. No function
// retains or modifies an argument unless its comment says so.
type Kind struct {
	object.Type

	Singular   string
	ShortNames []string
	Categories []string // "all" makes `kubectl get all` list it

	// NewList returns an empty typed list, "DeploymentList".
	NewList func() runtime.Object

	// Default applies defaults, in place, as upstream's SetDefaults functions do.
	Default func(o object.Object)

	// Allocate sets fields of next, in place, that come from a pool of the cluster, and rejects
	// values that are taken; old is nil at creation. It runs after Default and before admission; an
	// error means that a pool is exhausted. nil allocates nothing. Reservations returns the keys
	// that an object holds: the store assigns each key to one object, and frees it with the object.
	Allocate     func(next, old object.Object, pool Pool) (field.ErrorList, error)
	Reservations func(o object.Object) []string

	// Admission lists the admission plugins of the kind, in upstream's order. An empty list admits
	// everything unchanged.
	Admission []Plugin

	// PrepareCreate resets, in place, the fields that a client may not set at creation, such as
	// status and generation. nil does nothing. The object is defaulted and has its final name. The
	// caller sets the metadata common to all kinds (uid, creationTimestamp, …).
	PrepareCreate func(o object.Object)

	// SetRequester stores the creating user in the object, in place, after PrepareCreate; nil for
	// kinds without such a field.
	SetRequester func(o object.Object, by authenticationv1.UserInfo)

	// PrepareUpdate copies into next, in place, the fields that an update of the main resource may
	// not change (the status, for most kinds), and increments the generation if the spec has
	// changed. nil does nothing.
	PrepareUpdate func(next, old object.Object)

	// SetTimes sets missing times of a new or updated object, in place, after it is prepared; now
	// is cluster time. nil does nothing.
	SetTimes func(o object.Object, now time.Time)

	// Validate validates a new object. ValidateUpdate validates next against old, and includes
	// Validate's checks of next where upstream does. Both get defaulted objects.
	Validate       func(o object.Object) field.ErrorList
	ValidateUpdate func(next, old object.Object) field.ErrorList

	// Warnings returns texts for Warning headers. nil returns none. old is nil at creation.
	Warnings func(next, old object.Object) []string

	// Deprecated is the text of a Warning header in every answer about the kind; "" for none.
	Deprecated string

	// Status is the /status subresource, or nil.
	Status *Subresource
	// Subresources are further subresources that write the object, such as "finalize" of a
	// Namespace, by name.
	Subresources map[string]*Subresource
	// Scale is the /scale subresource, or nil.
	Scale *Scale

	// Columns and Row print the kind's table. Row returns cells in the order of Columns; now is
	// cluster time.
	Columns []metav1.TableColumnDefinition
	Row     func(o object.Object, now time.Time) []any

	// SelectableFields returns the fields that a field selector may name, in addition to
	// metadata.name and metadata.namespace, which the caller adds. nil means none.
	SelectableFields func(o object.Object) fields.Set
	// UnknownField is a format of the error for a field name that a selector may not use; "" for
	// the default.
	UnknownField string

	// Gated is a part of the kind behind a feature gate, or nil.
	Gated *Gated

	// Graceful returns the grace period of a deletion in seconds; asked is the client's, nil if it
	// sent none. If Graceful is nil, the kind is deleted without grace. Only Pods have it.
	Graceful func(o object.Object, asked *int64) int64

	// OrphanByDefault is true if a deletion without a policy orphans the dependents (batch/v1 Job
	// and core/v1 ReplicationController); otherwise the default is Background.
	OrphanByDefault bool

	// DeletionWarning is the text of a Warning header when a client deletes without a policy; ""
	// for none.
	DeletionWarning string

	// OneByOne is true if DELETE of a collection is not served (Namespace).
	OneByOne bool

	// NeverOwner is true if objects of the kind have no dependents, so that deletions never add the
	// garbage collector's finalizers (Event).
	NeverOwner bool

	// UpdateCreates is true if PUT to a name that does not exist creates the object (upstream's
	// AllowCreateOnUpdate). UnconditionalUpdate is true if PUT may omit resourceVersion.
	UpdateCreates       bool
	UnconditionalUpdate bool

	// Selector returns the selector of a workload for Pods of its namespace, nil if it selects
	// none. Changes of Pods that it may match wake the workload.
	Selector func(o object.Object) *metav1.LabelSelector

	// Quota measures the kind's objects for ResourceQuotas; nil if they are only counted.
	Quota *Measure

	// Answer is set for reviews, such as SubjectAccessReview: POST is their only verb. Answer fills
	// in the result, in place, after validation, and nothing is stored. Of the other fields, only
	// the names are used. Its errors are Statuses.
	Answer func(o object.Object, by Access) error

	// Derived is set for kinds whose objects are computed from others on demand: get and list are
	// their only verbs.
	Derived *Derivation

	// Internal is true if the Kubernetes API does not serve the kind: Rowlock stores its objects
	// like all others for its own use.
	Internal bool

	// PrepareDelete modifies, in place, an object whose deletion starts; now is cluster time. nil
	// does nothing.
	PrepareDelete func(o object.Object, now time.Time)

	// Custom is set for kinds defined by a CustomResourceDefinition.
	Custom *Custom

	// Stored is set for a view: a second representation of another kind's objects (events.k8s.io/v1
	// Event over core/v1 Event). Objects are stored as Stored, and converted. Of the view's
	// functions, Default completes what a client sent, PrepareCreate and PrepareUpdate prepare it
	// if they are set, and Validate and ValidateUpdate validate it. All other steps, and
	// subresources, work on the stored form.
	Stored *Conversion
}

// Custom is the additional part of a kind defined by a CustomResourceDefinition. Its objects are
// *unstructured.Unstructured.
type Custom struct {
	// Established kinds are in discovery. New objects of Terminating ones are rejected.
	Established, Terminating bool
	// Since is the revision before which objects may have been stored under another definition:
	// they are restored when read.
	Since object.Revision
	// Life ends when the definition is deleted or changes, except for its conditions.
	Life *Life
	// Columns returns the columns of the kind's table.
	Columns func() []metav1.TableColumnDefinition
	// Admit decodes metadata, prunes unknown fields and applies defaults, in place, to what a
	// client sent. If report is set, it returns the pruned fields. Its errors are client errors.
	Admit func(o object.Object, report bool) (unknown []string, err error)
	// DefaultStatus applies the default of a missing status, in place.
	DefaultStatus func(o object.Object)
	// Reread changes an object, in place, as storing and reading it would: it prunes unknown fields
	// and meaningless nulls.
	Reread func(o object.Object)
	// ValidateUpdate replaces Kind.ValidateUpdate and, if status is set, Validate of the status. It
	// returns warnings for broken rules in parts that do not change.
	ValidateUpdate func(next, old object.Object, status bool) (errs field.ErrorList, warnings []string)
	// Restore returns a stored version as an object of the stored kind under the current
	// definition. The result is shared and must not be modified.
	Restore func(v *object.Version) object.Object
	// CheckScale returns why the scale of an object cannot be read; nil for a kind without one.
	CheckScale func(o object.Object) error
	// Definition is the CustomResourceDefinition.
	Definition *object.Version
	Documented *Documented
}

// Documented is the part of OpenAPI documents about a custom resource.
type Documented struct {
	// Key identifies this state of the definition's version.
	Key string
	// Models returns new schemas of objects and of lists; ListKind is the kind of lists.
	Models   func(customresource.Format) (object, list *spec.Schema, err error)
	ListKind string
}

// Access provides the answers for reviews.
type Access interface {
	// Asker returns the requesting user.
	Asker() authenticationv1.UserInfo
	// Allowed reports whether a user may do something.
	Allowed(spec authorizationv1.SubjectAccessReviewSpec) authorizationv1.SubjectAccessReviewStatus
	// Rules returns the rules of the requesting user in a namespace.
	Rules(namespace string) authorizationv1.SubjectRulesReviewStatus
	// Review checks a token.
	Review(spec authenticationv1.TokenReviewSpec) authenticationv1.TokenReviewStatus
	// Now returns cluster time.
	Now() time.Time
}

// Subresource defines which writes a subresource allows.
type Subresource struct {
	// Prepare copies into next, in place, everything of old that this subresource may not change.
	Prepare func(next, old object.Object)
	// SetTimes sets missing times of next, in place, after Prepare; now is cluster time. nil does
	// nothing.
	SetTimes func(next, old object.Object, now time.Time)
	// Validate validates next against old.
	Validate func(next, old object.Object) field.ErrorList
	// Admission lists the admission plugins for the write, in upstream's order, like those of a
	// Kind for an update; their Mutate runs before Prepare. An empty list admits everything
	// unchanged.
	Admission []Plugin
	// Warnings returns texts for Warning headers. nil returns none.
	Warnings func(next, old object.Object) []string
}

// Scale maps a kind to autoscaling/v1 Scale.
type Scale struct {
	Get func(o object.Object) *autoscalingv1.Scale
	// Set sets o's replicas, in place.
	Set func(o object.Object, replicas int32)
}

// Conversion defines a view of another kind.
type Conversion struct {
	Kind *Kind
	From func(stored object.Object) object.Object // a new object of this kind
	To   func(o object.Object) object.Object      // a new object of the stored kind
}

// Derivation computes the objects of a derived kind.
type Derivation struct {
	// Of is the storage name of the kind that each object describes and from which it takes
	// namespace, name and labels. Singular is its name in errors.
	Of, Singular string
	// Missing is the name, in errors, of an object that cannot be computed: "podmetrics".
	Missing string
	// Objects computes the objects of a namespace, "" for all, in order of namespace and name; or
	// only the one with this name if it is not "".
	Objects func(c Cluster, namespace, name string, now time.Time) []object.Object
}
