package exercise

import (
	"context"
	"strconv"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	typed "k8s.io/client-go/kubernetes/typed/core/v1"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/test/history"
)

type kubernetesConfigMaps = typed.ConfigMapInterface

const (
	// hotMaps is how many ConfigMaps many clients work on at once. They change after hotTime,
	// because finding the order of many operations on one object takes long.
	hotMaps = 3
	hotTime = 6 * time.Second
)

// touch creates, reads, updates and deletes hot ConfigMaps, whatever the others do, and records the
// answers and their times.
func touch(a *actor, id int) {
	known := map[string]object.Revision{} // the revision that this client last saw of each, however long ago
	for i := 0; a.ctx.Err() == nil; i++ {
		era := int(time.Since(a.began) / hotTime)
		name := a.round + "-" + strconv.Itoa(era) + "-" + strconv.Itoa(a.IntN(hotMaps))
		client := a.somebody()
		if client == nil {
			a.rest(50 * time.Millisecond)
			continue
		}
		o := history.Operation{
			Client: id, Key: object.Key{Resource: configMapsOf, Namespace: hot, Name: name},
			Value: a.name + "/" + strconv.Itoa(i), Base: known[name],
		}
		switch n := a.IntN(10); {
		case n < 4 || o.Base == 0 && n < 6:
			o.Action = history.Get
		case o.Base == 0:
			o.Action = history.Create
		case n < 8:
			o.Action = history.Update
		default:
			o.Action = history.Delete
			if a.IntN(2) == 0 {
				o.Base = 0
			}
		}
		if o.Action == history.Get || o.Action == history.Create {
			o.Base = 0
		}
		o.Call = a.Elapsed()
		asked := time.Now()
		err := perform(a, client.CoreV1().ConfigMaps(hot), &o)
		o.Return = a.Elapsed()
		doubled := a.Doubled != nil && a.Doubled(asked)
		a.mu.Lock()
		if o2 := o; doubled && o.Action != history.Get {
			o2.Outcome, o2.Revision = history.Unknown, 0
			a.operations = append(a.operations, o2)
		}
		a.mu.Unlock()
		if a.judge(&o, err) {
			a.mu.Lock()
			a.operations = append(a.operations, o)
			a.mu.Unlock()
		}
		if known[name] = o.Revision; o.Outcome == history.Unknown {
			a.rest(500 * time.Millisecond)
		}
		a.rest(40 * time.Millisecond)
	}
}

// perform does the operation, and records the answer in it if it was done.
func perform(a *actor, maps kubernetesConfigMaps, o *history.Operation) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(a.ctx), ClientTimeout)
	defer cancel()
	var answer *corev1.ConfigMap
	var err error
	cm := &corev1.ConfigMap{ObjectMeta: metav1.ObjectMeta{Name: o.Key.Name}, Data: map[string]string{"value": o.Value}}
	switch o.Action {
	case history.Create:
		answer, err = maps.Create(ctx, cm, metav1.CreateOptions{})
	case history.Get:
		answer, err = maps.Get(ctx, o.Key.Name, metav1.GetOptions{})
	case history.Update:
		cm.ResourceVersion = o.Base.ResourceVersion()
		answer, err = maps.Update(ctx, cm, metav1.UpdateOptions{})
	case history.Delete:
		options := metav1.DeleteOptions{}
		if o.Base > 0 {
			options.Preconditions = &metav1.Preconditions{ResourceVersion: new(o.Base.ResourceVersion())}
		}
		return maps.Delete(ctx, o.Key.Name, options)
	}
	if err == nil {
		o.Revision, o.Got = object.RevisionOf(answer), answer.Data["value"]
		if o.Action != history.Get {
			a.acknowledge(configMapsOf, answer)
		}
	}
	return err
}

// judge records the outcome. It returns false for an operation that was not begun, because no
// server answered or it answered that it is not available: that, too, is a promise.
func (a *actor) judge(o *history.Operation, err error) bool {
	switch {
	case err == nil:
		o.Outcome = history.Done
		return true
	case apierrors.IsAlreadyExists(err):
		o.Outcome = history.Exists
	case apierrors.IsNotFound(err):
		o.Outcome = history.Missing
	case apierrors.IsConflict(err):
		o.Outcome = history.Conflict
	default:
		o.Outcome = history.Unknown
		if !a.refusals.Retryable(err) {
			a.Wrong("%s was told: %v", a.name, err)
		}
		return !neverSent(err) && !apierrors.IsServiceUnavailable(err)
	}
	return true
}
