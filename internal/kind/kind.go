// Package kind says what a kind is: a Kind holds everything that differs from kind to kind. The
// kinds themselves are in the packages below, by API group, and package builtin has the catalogue
// of them all. What a write of an object means (internal/registry) and the verbs in api/kube are
// written once over this catalogue. Everything here is pure: no clock, no randomness, no I/O.
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

// Kind describes one served kind. Function fields may be nil where the comment says so. No function
// keeps or changes an argument unless its comment says that it does.
type Kind struct {
	object.Type

	Singular   string
	ShortNames []string
	Categories []string // "all" makes `kubectl get all` list it

	// NewList makes an empty typed list, "DeploymentList".
	NewList func() runtime.Object

	// Default fills in what the client left out, in place, as upstream's SetDefaults functions do.
	Default func(o object.Object)

	// Allocate completes next, in place, with what comes from a pool of the cluster, and refuses
	// what is taken; old is nil at creation. It runs after Default and before admission; an error
	// means that a pool is empty. nil takes nothing. Reservations are the keys of what an object
	// holds: the store keeps each with one object, and frees it with its object.
	Allocate     func(next, old object.Object, pool Pool) (field.ErrorList, error)
	Reservations func(o object.Object) []string

	// Admission are the admission plugins that complete or refuse objects of the kind, in
	// upstream's order. Empty admits everything as it is.
	Admission []Plugin

	// PrepareCreate clears and sets, in place, what a client may not choose at creation: status,
	// generation. nil does nothing. It sees a defaulted object whose name is drawn. Metadata common
	// to all kinds (uid, creationTimestamp, …) is the caller's work.
	PrepareCreate func(o object.Object)

	// SetRequester writes down, in place, who creates the object, once it is prepared; nil for
	// kinds that do not say.
	SetRequester func(o object.Object, by authenticationv1.UserInfo)

	// PrepareUpdate carries over into next, in place, what an update of the main resource may not
	// change (status, for most kinds) and raises generation when the spec has changed. nil carries
	// nothing over.
	PrepareUpdate func(next, old object.Object)

	// SetTimes sets, in place, the times that a new or updated object leaves out, once it is
	// prepared; now is cluster time. nil sets none.
	SetTimes func(o object.Object, now time.Time)

	// Validate judges an object to be created. ValidateUpdate judges next against old, and includes
	// what Validate would say of next where upstream does. Both see defaulted objects.
	Validate       func(o object.Object) field.ErrorList
	ValidateUpdate func(next, old object.Object) field.ErrorList

	// Warnings are returned to the client as Warning headers; nil for none. old is nil at creation.
	Warnings func(next, old object.Object) []string

	// Deprecated is returned as a Warning header with every answer about the kind; empty for none.
	Deprecated string

	// Status is the /status subresource; nil where there is none.
	Status *Subresource
	// Subresources are further subresources that store through the object ("finalize" of a
	// Namespace), by name.
	Subresources map[string]*Subresource
	// Scale is the /scale subresource; nil where there is none.
	Scale *Scale

	// Columns and Row print the kind's table. Row's cells stand in the order of Columns; now is
	// cluster time.
	Columns []metav1.TableColumnDefinition
	Row     func(o object.Object, now time.Time) []any

	// SelectableFields are the fields a field selector may name besides metadata.name and
	// metadata.namespace, which the caller adds. nil for none.
	SelectableFields func(o object.Object) fields.Set
	// UnknownField is the text about a field that may not be named, a format of its name; empty for
	// the usual one.
	UnknownField string

	// Gated is a part that a feature gate brings; nil for none.
	Gated *Gated

	// Graceful computes how many seconds of grace a deletion gives: asked is what the client asked
	// for, nil for nothing. nil means the kind is deleted without grace. Only Pods have it.
	Graceful func(o object.Object, asked *int64) int64

	// OrphanByDefault is true where deletion without a policy orphans the dependents (batch/v1 Job
	// and core/v1 ReplicationController); elsewhere the default is Background.
	OrphanByDefault bool

	// DeletionWarning is returned as a Warning header where a client deletes without a policy.
	// Empty warns of nothing.
	DeletionWarning string

	// OneByOne is true where no DELETE of a whole collection is served (Namespace).
	OneByOne bool

	// NeverOwner is true where the garbage collector has nothing to do when an object goes, so that
	// a deletion never adds its finalizers (Event).
	NeverOwner bool

	// UpdateCreates is true where PUT to a name that does not exist creates the object (upstream's
	// AllowCreateOnUpdate). UnconditionalUpdate is true where PUT may omit resourceVersion.
	UpdateCreates       bool
	UnconditionalUpdate bool

	// Selector returns which Pods of its namespace a workload selects, nil where it selects
	// nothing. Changes of Pods that it may match wake the workload.
	Selector func(o object.Object) *metav1.LabelSelector

	// Quota is how ResourceQuotas measure the kind's objects; nil where they only count them.
	Quota *Measure

	// Answer is set on a kind whose objects are questions: POST is their only verb, Answer fills in
	// the answer, in place, once Validate is content, and nothing is stored. Of the other fields
	// only the names are used. Its errors are Statuses.
	Answer func(o object.Object, by Access) error

	// Derived is set on a kind whose objects are computed from others when somebody asks for them:
	// get and list are its only verbs.
	Derived *Derivation

	// Internal is true where Kubernetes' API does not serve the kind: its objects are kept like all
	// others, for Rowlock itself.
	Internal bool

	// PrepareDelete completes, in place, an object whose deletion begins; now is cluster time. nil
	// does nothing.
	PrepareDelete func(o object.Object, now time.Time)

	// Custom is set on kinds that a CustomResourceDefinition defines.
	Custom *Custom

	// Stored is set on a second representation of another kind's objects (events.k8s.io/v1 Event
	// over core/v1 Event): objects are stored as Stored, and converted. Of the view's functions,
	// Default completes what a client sent, PrepareCreate and PrepareUpdate prepare it where they
	// are set, and Validate and ValidateUpdate judge it; what else is done to it is done to the
	// stored form, and its subresources see that.
	Stored *Conversion
}

// Custom is what there is besides about a kind that a CustomResourceDefinition defines. Its objects
// are *unstructured.Unstructured.
type Custom struct {
	// Established kinds are in discovery. Objects of Terminating ones are not created any more.
	Established, Terminating bool
	// Since is the revision before which objects may have been stored by another definition: they
	// are restored when they are read.
	Since object.Revision
	// Life ends when the definition changes, but for its conditions, or is gone.
	Life *Life
	// Columns are those of the kind's table.
	Columns func() []metav1.TableColumnDefinition
	// Admit completes, in place, what a client sent: it decodes metadata, prunes and fills in
	// defaults. With report it names the fields that it pruned. Its errors are faults of what was
	// sent.
	Admit func(o object.Object, report bool) (unknown []string, err error)
	// DefaultStatus fills in, in place, the default of a status that is missing.
	DefaultStatus func(o object.Object)
	// Reread makes of an object, in place, what reading it from where it is stored would: without
	// what the schema does not know, and without nulls that mean nothing.
	Reread func(o object.Object)
	// ValidateUpdate takes the place of Kind.ValidateUpdate and of Validate of the status, about
	// which the update is with status. It warns of rules that are broken in parts that do not
	// change.
	ValidateUpdate func(next, old object.Object, status bool) (errs field.ErrorList, warnings []string)
	// Restore is a stored version as an object of the stored kind, as the definition is now. It is
	// shared, and must not be changed.
	Restore func(v *object.Version) object.Object
	// CheckScale says why the scale of an object cannot be shown; nil for a kind without.
	CheckScale func(o object.Object) error
	// Definition is the object that defines the kind.
	Definition *object.Version
	Documented *Documented
}

// Documented is what OpenAPI documents say of a custom resource.
type Documented struct {
	// Key tells one state of the definition's version from all others.
	Key string
	// Models makes the schemas of objects and of lists, which are the caller's, and ListKind is the
	// kind of lists.
	Models   func(customresource.Format) (object, list *spec.Schema, err error)
	ListKind string
}

// Access is what questions are about: who asks, and who may do what.
type Access interface {
	// Asker is who asks.
	Asker() authenticationv1.UserInfo
	// Allowed says whether a user may do something.
	Allowed(spec authorizationv1.SubjectAccessReviewSpec) authorizationv1.SubjectAccessReviewStatus
	// Rules are what the asker may do in a namespace.
	Rules(namespace string) authorizationv1.SubjectRulesReviewStatus
	// Review says whose a token is.
	Review(spec authenticationv1.TokenReviewSpec) authenticationv1.TokenReviewStatus
	// Now is cluster time.
	Now() time.Time
}

// Subresource says what a write through a subresource may change.
type Subresource struct {
	// Prepare carries over into next, in place, everything of old that this subresource may not
	// change.
	Prepare func(next, old object.Object)
	// SetTimes sets, in place, the times that next leaves out, once it is prepared; now is cluster
	// time. nil sets none.
	SetTimes func(next, old object.Object, now time.Time)
	// Validate judges next against old.
	Validate func(next, old object.Object) field.ErrorList
	// Admission are the admission plugins that judge the write, in upstream's order, as those of a
	// Kind do an update; their Mutate completes next before Prepare. Empty admits everything as it
	// is.
	Admission []Plugin
	// Warnings are returned to the client as Warning headers; nil for none.
	Warnings func(next, old object.Object) []string
}

// Scale maps a kind to autoscaling/v1 Scale.
type Scale struct {
	Get func(o object.Object) *autoscalingv1.Scale
	// Set changes o's replicas in place.
	Set func(o object.Object, replicas int32)
}

// Conversion makes a kind a view of another.
type Conversion struct {
	Kind *Kind
	From func(stored object.Object) object.Object // a new object of this kind
	To   func(o object.Object) object.Object      // a new object of the stored kind
}

// Derivation computes objects.
type Derivation struct {
	// Of is the storage name of what each object is about, which has its namespace, name and
	// labels, and Singular how errors name one that is missing.
	Of, Singular string
	// Missing is how errors name an object that cannot be computed, "podmetrics".
	Missing string
	// Objects computes those of a namespace, "" for all, by namespace and name, or only the one of
	// the name if that is not "".
	Objects func(c Cluster, namespace, name string, now time.Time) []object.Object
}
