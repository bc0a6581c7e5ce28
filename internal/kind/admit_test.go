package kind_test

import (
	"github.com/rowlock/rowlock/internal/kind"
	"github.com/rowlock/rowlock/internal/object"
)

// admit, deny and denyUpdate run a kind's admission plugins, as package registry does.

func admit(k *kind.Kind, o object.Object, c kind.Cluster) error {
	for _, p := range k.Admission {
		if p.Mutate != nil {
			if err := p.Mutate(o, c); err != nil {
				return err
			}
		}
	}
	return nil
}

func deny(k *kind.Kind, o object.Object, c kind.Cluster) error {
	for _, p := range k.Admission {
		if p.Validate != nil {
			if err := p.Validate(o, c); err != nil {
				return err
			}
		}
	}
	return nil
}

func denyUpdate(k *kind.Kind, next, old object.Object, c kind.Cluster) error {
	for _, p := range k.Admission {
		if p.ValidateUpdate != nil {
			if err := p.ValidateUpdate(next, old, c); err != nil {
				return err
			}
		}
	}
	return nil
}
