package controller_test

import (
	"context"
	"fmt"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/controller"
	"github.com/rowlock/rowlock/internal/controller/world"
	"github.com/rowlock/rowlock/internal/emulator"
	"github.com/rowlock/rowlock/internal/engine"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/builtin"
	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
)

// emptyLog is the log of an empty database.
type emptyLog struct{ mirror.Log }

func (emptyLog) Revision(context.Context) (newest, compacted object.Revision, err error) {
	return 0, 0, nil
}

func (emptyLog) Heads(context.Context) ([]object.Revision, error) { return nil, nil }

func (emptyLog) After(context.Context, object.Revision, int) ([]*object.Version, error) {
	return nil, nil
}

func (emptyLog) Holds(context.Context, object.Revision, types.UID, time.Time) (bool, error) {
	return true, nil
}

// cost is what one sync touches.
type cost struct {
	Visits, Decodes int64 // versions that the view returned, and bodies decoded
	Writes          int   // objects that the plan changes, events and wakeups included
}

// costWorld is a cluster in memory: the objects to sync, and a number of others.
type costWorld struct {
	t      *testing.T
	mirror *mirror.Mirror
	world  world.World
	visits *atomic.Int64

	longest *atomic.Int64 // the most versions visited during one Read
	made    []*object.Version
	kinds   map[string]*kind.Kind // by the Go types of their objects
}

func newCostWorld(t *testing.T, beside int) *costWorld {
	t.Helper()
	c := &costWorld{t: t, visits: &atomic.Int64{}, longest: &atomic.Int64{}, kinds: map[string]*kind.Kind{}}
	c.world = world.World{
		Kinds: builtin.Catalogue(), Images: emulator.NewCatalogue(), Nodes: world.NewNodes(), Expiry: world.NewExpiry(),
		Tally: world.NewTally(), EndedPods: 5,
	}
	for _, k := range c.world.Kinds.Stored() {
		c.kinds[fmt.Sprintf("%T", k.New())] = k
	}
	c.mirror = mirror.New(emptyLog{}, mirror.Config{
		Indexes: mirror.Indexes(), Observers: []mirror.Observer{c.world.Nodes, c.world.Expiry, c.world.Tally},
		Visits: c.visits, Longest: c.longest, Poll: time.Hour, MaxStale: time.Hour,
	}, slog.New(slog.DiscardHandler))
	ctx, stop := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() { defer close(done); _ = c.mirror.Run(ctx) }()
	t.Cleanup(func() { stop(); <-done })
	eventually(t, "the mirror is loaded", func() bool { return c.mirror.Ready() == nil })
	c.own()
	c.beside(beside)
	c.mirror.Committed(c.made)
	return c
}

// add adds an object; its name is its uid if it has none.
func (c *costWorld) add(o object.Object) {
	c.t.Helper()
	k := c.kinds[fmt.Sprintf("%T", o)]
	if o.GetUID() == "" {
		o.SetUID(types.UID(k.Plural + "/" + o.GetName()))
	}
	if created := o.GetCreationTimestamp(); created.IsZero() {
		o.SetCreationTimestamp(metav1.Time{Time: start})
	}
	v := &object.Version{
		Type: &k.Type, Namespace: o.GetNamespace(), Name: o.GetName(), UID: o.GetUID(),
		Revision: object.Revision(len(c.made) + 1), Verb: object.Created, At: object.MomentOf(start),
	}
	body, err := object.Encode(v.Type, o)
	if err != nil {
		c.t.Fatal(err)
	}
	v.SetBody(body)
	c.made = append(c.made, v)
}

// commit adds objects to an existing cluster.
func (c *costWorld) commit(add func()) {
	c.made = nil
	add()
	for i, v := range c.made {
		v.Revision = c.mirror.Revision() + object.Revision(i+1)
	}
	c.mirror.Committed(c.made)
}

// plan returns what a controller with a Gather plans for an object.
func (c *costWorld) plan(controller engine.Controller, request engine.Request, now time.Time) (p plan.Plan) {
	var gathered []engine.Gathered
	c.mirror.Read(func(v mirror.View) { gathered = controller.Gather(v, []engine.Request{request}, now) })
	for _, g := range gathered {
		p = g.Plan(nil)
	}
	return p
}

// sync returns what one sync of a controller touches.
func (c *costWorld) sync(controller engine.Controller, request engine.Request) cost {
	c.t.Helper()
	return c.syncAt(controller, request, start)
}

// syncAt returns what one sync at this time touches.
func (c *costWorld) syncAt(controller engine.Controller, request engine.Request, now time.Time) (of cost) {
	c.t.Helper()
	visits, decodes := c.visits.Load(), object.Decodes()
	count := func(p plan.Plan) {
		of.Writes += len(p.Creates) + len(p.Updates) + len(p.Deletes) + len(p.Events) + len(p.Wakes)
	}
	var gathered []engine.Gathered
	c.mirror.Read(func(v mirror.View) {
		if controller.Gather != nil {
			gathered = controller.Gather(v, []engine.Request{request}, now)
			return
		}
		for _, p := range controller.Reconcile(v, []engine.Request{request}, now) {
			count(p.Plan)
		}
	})
	for _, g := range gathered {
		count(g.Plan(nil))
	}
	of.Visits, of.Decodes = c.visits.Load()-visits, object.Decodes()-decodes
	return of
}

// later adds an object to an existing cluster.
func (c *costWorld) later(o object.Object) {
	c.t.Helper()
	c.made = nil
	c.add(o)
	c.made[0].Revision = c.mirror.Revision() + 1
	c.mirror.Committed(c.made)
}

// named returns a controller by its name.
func (c *costWorld) named(name string) engine.Controller {
	c.t.Helper()
	for _, controller := range controller.Controllers(c.world) {
		if controller.Name == name {
			return controller
		}
	}
	c.t.Fatalf("there is no controller %s", name)
	return engine.Controller{}
}
