package kind

import (
	"time"

	authenticationv1 "k8s.io/api/authentication/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/fields"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/object"
)

// Functions are the functions of a kind whose objects have the Go type T; see the fields of Kind
// with the same names. Where those get no old object, these get nil.
type Functions[T object.Object] struct {
	Default          func(o T)
	Allocate         func(next, old T, pool Pool) (field.ErrorList, error)
	Reservations     func(o T) []string
	PrepareCreate    func(o T)
	SetRequester     func(o T, by authenticationv1.UserInfo)
	PrepareUpdate    func(next, old T)
	SetTimes         func(o T, now time.Time)
	Validate         func(o T) field.ErrorList
	ValidateUpdate   func(next, old T) field.ErrorList
	Warnings         func(next, old T) []string
	Row              func(o T, now time.Time) []any
	SelectableFields func(o T) fields.Set
	Graceful         func(o T, asked *int64) int64
	Selector         func(o T) *metav1.LabelSelector
	PrepareDelete    func(o T, now time.Time)
}

// Write is a Subresource of a kind whose objects have the Go type T; see the fields of Subresource
// with the same names.
type Write[T object.Object] struct {
	Prepare   func(next, old T)
	SetTimes  func(next, old T, now time.Time)
	Validate  func(next, old T) field.ErrorList
	Admission []Plugin
	Warnings  func(next, old T) []string
}

// Define returns the kind k with the functions f. If f lacks a function, the one in k remains: kinds
// of several types may share it.
func Define[T object.Object](k Kind, f Functions[T]) *Kind {
	k.Prepare()
	k.Default = alone(f.Default, k.Default)
	k.PrepareCreate = alone(f.PrepareCreate, k.PrepareCreate)
	k.PrepareUpdate = pair(f.PrepareUpdate, k.PrepareUpdate)
	k.Validate = of(f.Validate, k.Validate)
	k.ValidateUpdate = ofPair(f.ValidateUpdate, k.ValidateUpdate)
	k.Warnings = ofPair(f.Warnings, k.Warnings)
	k.Reservations = of(f.Reservations, k.Reservations)
	k.SelectableFields = of(f.SelectableFields, k.SelectableFields)
	k.Selector = of(f.Selector, k.Selector)
	k.SetTimes = with(f.SetTimes, k.SetTimes)
	k.SetRequester = with(f.SetRequester, k.SetRequester)
	k.PrepareDelete = with(f.PrepareDelete, k.PrepareDelete)
	k.Row = ofWith(f.Row, k.Row)
	k.Graceful = ofWith(f.Graceful, k.Graceful)
	if f.Allocate != nil {
		k.Allocate = func(next, old object.Object, pool Pool) (field.ErrorList, error) {
			return f.Allocate(typed[T](next), typed[T](old), pool)
		}
	}
	return &k
}

// Through returns a subresource with the functions of w.
func Through[T object.Object](w Write[T]) *Subresource {
	s := &Subresource{Prepare: pair(w.Prepare, nil), Validate: ofPair(w.Validate, nil), Admission: w.Admission, Warnings: ofPair(w.Warnings, nil)}
	if w.SetTimes != nil {
		s.SetTimes = func(next, old object.Object, now time.Time) { w.SetTimes(typed[T](next), typed[T](old), now) }
	}
	return s
}

// typed returns an object in its Go type; nil stays nil.
func typed[T object.Object](o object.Object) (t T) {
	if o == nil {
		return t
	}
	return o.(T)
}

// The functions below convert a function of one Go type to a function of any object. They take one
// object or a pair of new and old, with a further argument or a result. If f is nil, they return or.

func alone[T object.Object](f func(T), or func(object.Object)) func(object.Object) {
	if f == nil {
		return or
	}
	return func(o object.Object) { f(typed[T](o)) }
}

func pair[T object.Object](f func(next, old T), or func(next, old object.Object)) func(next, old object.Object) {
	if f == nil {
		return or
	}
	return func(next, old object.Object) { f(typed[T](next), typed[T](old)) }
}

func of[T object.Object, R any](f func(T) R, or func(object.Object) R) func(object.Object) R {
	if f == nil {
		return or
	}
	return func(o object.Object) R { return f(typed[T](o)) }
}

func ofPair[T object.Object, R any](f func(next, old T) R, or func(next, old object.Object) R) func(next, old object.Object) R {
	if f == nil {
		return or
	}
	return func(next, old object.Object) R { return f(typed[T](next), typed[T](old)) }
}

func with[T object.Object, A any](f func(T, A), or func(object.Object, A)) func(object.Object, A) {
	if f == nil {
		return or
	}
	return func(o object.Object, a A) { f(typed[T](o), a) }
}

func ofWith[T object.Object, A, R any](f func(T, A) R, or func(object.Object, A) R) func(object.Object, A) R {
	if f == nil {
		return or
	}
	return func(o object.Object, a A) R { return f(typed[T](o), a) }
}
