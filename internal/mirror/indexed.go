package mirror

import (
	"slices"

	"github.com/tidwall/btree"

	"github.com/rowlock/rowlock/internal/object"
)

// indexed holds the versions of one index, each under its values. Most values of most indexes have
// one object, for which a tree would be large.
type indexed struct {
	Index
	single map[string]*object.Version // the object of a value that has had only one at a time
	trees  map[string]*tree           // the objects of every other value, in list order
	news   map[string]object.Revision // by value, where Index.News is not nil

	changes int // of trees, since their memory was last freed
}

func newIndexed(x Index) *indexed {
	return &indexed{Index: x, single: map[string]*object.Version{}, trees: map[string]*tree{}, news: map[string]object.Revision{}}
}

func (x *indexed) applies(v *object.Version) bool {
	return x.Resource == "" || x.Resource == v.Type.Resource()
}

// under returns the objects under a value, nil for none.
func (x *indexed) under(value string) *tree {
	if t := x.trees[value]; t != nil {
		return t
	}
	v := x.single[value]
	if v == nil {
		return nil
	}
	t := newIndexTree(x.Less)
	t.Set(v)
	return t
}

// update moves an object from its old version's values to its new one's.
func (x *indexed) update(e Event) {
	var values, old []string
	if e.New.Verb != object.Deleted {
		values = x.Values(e.New)
	}
	if e.Old != nil {
		old = x.Values(e.Old)
		for _, value := range old {
			if !slices.Contains(values, value) {
				x.remove(value, e.Old)
			} else if t := x.trees[value]; t != nil && x.Less != nil {
				t.Delete(e.Old) // its position may have changed
			}
		}
	}
	for _, value := range values {
		x.set(value, e.New)
		if x.News != nil && (!slices.Contains(old, value) || x.News(e.Old, e.New)) {
			x.news[value] = max(x.news[value], e.New.Revision) // objects are loaded in any order
		}
	}
}

// set puts a version under a value, in place of the object's version before.
func (x *indexed) set(value string, v *object.Version) {
	t, one := x.trees[value], x.single[value]
	x.changes++
	switch {
	case t != nil:
		t.Set(v)
	case one == nil || one.Key() == v.Key():
		x.single[value] = v
	default:
		t = newIndexTree(x.Less)
		t.Set(one)
		t.Set(v)
		delete(x.single, value)
		x.trees[value] = t
	}
}

func (x *indexed) remove(value string, v *object.Version) {
	if t := x.trees[value]; t != nil {
		if t.Delete(v); t.Len() > 0 {
			return
		}
		delete(x.trees, value)
	} else if one := x.single[value]; one == nil || one.Key() != v.Key() {
		return
	}
	delete(x.single, value)
	delete(x.news, value)
}

// newIndexTree orders by less or, if nil, by resource first, because an index over all resources
// holds objects with the same name.
func newIndexTree(less func(a, b *object.Version) bool) *tree {
	if less == nil {
		less = func(a, b *object.Version) bool {
			if a.Type != b.Type {
				return a.Type.Resource() < b.Type.Resource()
			}
			return before(a, b)
		}
	}
	return btree.NewBTreeGOptions(less, btree.Options{NoLocks: true, Degree: 16})
}
