package kindtest

import (
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// Refusal returns an error's text, "" for nil.
func Refusal(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// Admit runs the mutating plugins on a new object.
func Admit(k *kind.Kind, o object.Object, c kind.Cluster) error {
	for _, p := range k.Admission {
		if p.Mutate != nil {
			if err := p.Mutate(o, c); err != nil {
				return err
			}
		}
	}
	return nil
}

// Deny runs the validating plugins on a new object.
func Deny(k *kind.Kind, o object.Object, c kind.Cluster) error {
	for _, p := range k.Admission {
		if p.Validate != nil {
			if err := p.Validate(o, c); err != nil {
				return err
			}
		}
	}
	return nil
}

// DenyUpdate runs the validating plugins on an update.
func DenyUpdate(k *kind.Kind, next, old object.Object, c kind.Cluster) error {
	for _, p := range k.Admission {
		if p.ValidateUpdate != nil {
			if err := p.ValidateUpdate(next, old, c); err != nil {
				return err
			}
		}
	}
	return nil
}
