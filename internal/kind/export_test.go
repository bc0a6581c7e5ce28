package kind

import "github.com/rowlock/rowlock/internal/object"

// Admit, Deny and DenyUpdate run a kind's admission plugins, as package registry does.

func (k *Kind) Admit(o object.Object, c Cluster) error {
	for _, p := range k.Admission {
		if p.Mutate != nil {
			if err := p.Mutate(o, c); err != nil {
				return err
			}
		}
	}
	return nil
}

func (k *Kind) Deny(o object.Object, c Cluster) error {
	for _, p := range k.Admission {
		if p.Validate != nil {
			if err := p.Validate(o, c); err != nil {
				return err
			}
		}
	}
	return nil
}

func (k *Kind) DenyUpdate(next, old object.Object, c Cluster) error {
	for _, p := range k.Admission {
		if p.ValidateUpdate != nil {
			if err := p.ValidateUpdate(next, old, c); err != nil {
				return err
			}
		}
	}
	return nil
}
