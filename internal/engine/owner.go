package engine

import (
	"cmp"

	"github.com/rowlock/rowlock/internal/fieldmanager"
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
)

// binding is a subresource whose writers own no fields.
const binding = "binding"

// by returns the controller as the writer of a subresource.
func (pl *planning) by(subresource string) fieldmanager.Writer {
	return fieldmanager.Writer{Manager: pl.managerOf(pl.controller.UserAgent), Subresource: subresource, At: pl.now}
}

// own records who owns the fields that a planned update changes.
func (pl *planning) own(k *kind.Kind, u plan.Update, old object.Object) {
	by := pl.by(u.Subresource)
	switch {
	case u.Subresource == binding, u.Owned:
	case u.Subresource == "" && k.Status != nil:
		status := by
		status.Manager = cmp.Or(u.StatusManager, by.Manager)
		pl.report(fieldmanager.UpdatedBoth(&k.Type, u.Object, old, by, status))
	default:
		pl.report(fieldmanager.Updated(&k.Type, u.Object, old, by))
	}
}

// report logs that an object's owners could not be recorded: it is stored without them.
func (a *applier) report(err error) {
	if err != nil {
		a.log.Error("could not record managed fields", "error", err)
	}
}
