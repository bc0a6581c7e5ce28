package registry

import (
	"cmp"
	"errors"

	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/kind/core/pod/security"
	"github.com/rowlock/rowlock/internal/object"
)

// mutate lets a plugin complete the new object, or refuse it. The name drawn for a generateName is
// hidden from it where upstream does not know it yet.
func (w *write) mutate(p *kind.Plugin) error {
	return w.ask(p, Mutation, cmp.Or(w.next.GetGenerateName(), provisionalName(w.next)))
}

// approve lets a plugin judge the object as it would be stored.
func (w *write) approve(p *kind.Plugin) error { return w.ask(p, Approval, w.next.GetName()) }

// ask lets a plugin judge the object; its refusal uses the given name.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/admission/errors.go, NewForbidden
func (w *write) ask(p *kind.Plugin, stage Stage, name string) error {
	w.asked.plugin, w.asked.stage = p, stage
	if p.Waits {
		if err := w.wait(); err != nil {
			return err
		}
		if w.asked.run == nil {
			w.asked.run = w.answer
		}
		w.in.State.Read(w.asked.run)
	} else {
		w.answer(nil)
	}
	return w.refusal(w.asked.answer, name)
}

// refusal returns the answer to a plugin's error; nil for none.
func (w *write) refusal(err error, name string) error {
	var status apierrors.APIStatus
	if err == nil || errors.As(err, &status) {
		return err
	}
	return &Forbidden{Resource: w.kind.GroupResource(), Name: name, Err: err}
}

// advise adds a plugin's warnings.
func (w *write) advise(p *kind.Plugin) {
	w.in.State.Read(func(c kind.Cluster) {
		w.result.Warnings = append(w.result.Warnings, p.Warn(w.next, w.old, w.configured(c))...)
	})
}

// configured returns the cluster with the operator's configuration of admission.
func (w *write) configured(c kind.Cluster) kind.Cluster {
	return security.WithConfig(c, w.in.PodSecurity, w.in.User)
}

// judgeUser lets a plugin judge what the user may do, by roles as new as the request.
func (w *write) judgeUser(judge func(next, old object.Object, by kind.Rights) error) error {
	if w.in.Rights == nil {
		return nil
	}
	if err := w.wait(); err != nil {
		return err
	}
	return w.refusal(judge(w.next, w.old, w.in.Rights), w.next.GetName())
}

// answer runs the plugin.
func (w *write) answer(c kind.Cluster) {
	if c != nil {
		c = w.configured(c)
	}
	switch p := w.asked.plugin; {
	case w.asked.stage == Mutation:
		w.asked.answer = p.Mutate(w.next, c)
	case w.old == nil:
		w.asked.answer = p.Validate(w.next, c)
	default:
		w.asked.answer = p.ValidateUpdate(w.next, w.old, c)
	}
}
