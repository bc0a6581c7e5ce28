package engine

import (
	"log/slog"
	"reflect"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/core/pod/security"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/store"
)

// applier turns a controller's plans into changes.
type applier struct {
	kinds      map[reflect.Type]*kind.Kind // by the Go type of their objects: plans carry no TypeMeta
	all        *kind.Catalogue
	mirror     *mirror.Mirror
	most       int // Deps.MostObjects
	security   *security.Config
	draw       Draw
	managerOf  func(component string) string
	log        *slog.Logger
	recorder   *Recorder
	controller Controller
}

func newApplier(deps Deps, c Controller) applier {
	a := applier{
		kinds: map[reflect.Type]*kind.Kind{}, all: deps.Kinds, mirror: deps.Mirror, most: deps.MostObjects, security: deps.PodSecurity,
		draw: deps.Draw, managerOf: deps.ManagerOf, log: deps.Log, recorder: deps.Recorder, controller: c,
	}
	for _, k := range deps.Kinds.Builtin().Stored() {
		a.kinds[typeOf(k.New())] = k
	}
	return a
}

// kindFor returns the kind of a planned object, or nil. A custom resource, which no
// plan creates, has the kind defined for its stored version or, if its definition is gone, a kind
// that is good enough to delete it.
func (a *applier) kindFor(o object.Object) *kind.Kind {
	if k := a.kinds[typeOf(o)]; k != nil {
		return k
	}
	var v *object.Version
	a.mirror.Read(func(view mirror.View) { v = view.UID(o.GetUID()) })
	if v == nil || v.Type.Custom == nil {
		return nil
	}
	if k := a.all.ByResource(v.Type.Resource()); k != nil {
		return k
	}
	return &kind.Kind{Type: *v.Type}
}

func typeOf(o object.Object) reflect.Type { return reflect.TypeOf(o) }

// about is what the applier must know about a sync besides its plan.
type about struct {
	cause      object.Revision               // of the changes for the planned object
	causes     map[types.UID]object.Revision // of the changes for others that were synced with it, under a controller's lock; nil for none
	remembered bool                          // the request came with a memory
	attempt    int                           // how often the sync has failed
	now        time.Time
}

// planning is one plan that is being added to a batch.
type planning struct {
	*applier
	about
	batch *store.Batch
	uid   types.UID // of the object that was synced
	// Whether a change of that object was left out, and whether it is removed.
	left, removed bool
}
