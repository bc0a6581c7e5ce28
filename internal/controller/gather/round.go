package gather

import (
	"encoding/json"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/internal/mirror"
	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/internal/plan"
)

// RoundPiece is how many objects a round visits in one turn.
const RoundPiece = 500

// Round is an iteration over the objects that an index has under a value: in pieces, in list order,
// over several turns. The object that the round is for remembers how far it has come. The zero
// Round has not begun.
type Round struct {
	// Since is the revision of the object that the round is for, when the round began. If it
	// differs when the round ends, another round follows.
	Since object.Revision `json:"since"`
	// Namespace and Name are those of the last object visited; empty before the first.
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name,omitempty"`
}

// DecodeRound reads what encode has written. Unreadable input is a round that has not begun.
func DecodeRound(memory []byte) (r Round) {
	if len(memory) == 0 || json.Unmarshal(memory, &r) != nil {
		return Round{}
	}
	return r
}

func (r Round) encode() []byte {
	b, err := json.Marshal(r)
	if err != nil {
		panic(fmt.Sprintf("controller: a round: %v", err)) // strings and a number
	}
	return b
}

// Next returns the next piece for an object at a revision, and the round after it: the zero round
// if the round is over and no other must follow.
func (r Round) Next(v mirror.View, index mirror.Index, value string, current object.Revision) ([]*object.Version, Round) {
	if r.Since == 0 || r.Since > current { // a round from the future belongs to another history
		r = Round{Since: current}
	}
	piece := v.AfterKey(index, value, object.Key{Namespace: r.Namespace, Name: r.Name}, RoundPiece)
	switch {
	case len(piece) == RoundPiece:
		last := piece[len(piece)-1]
		return piece, Round{Since: r.Since, Namespace: last.Namespace, Name: last.Name}
	case r.Since != current:
		return piece, Round{Since: current}
	}
	return piece, Round{}
}

// Remember adds a round's position to a plan, and asks for its next piece. was is what has been
// remembered about it.
func (r Round) Remember(p *plan.Plan, was []byte, now time.Time) {
	if r != (Round{}) {
		p.Memory, p.WakeAt = r.encode(), now
	} else if len(was) > 0 {
		p.Memory = []byte{}
	}
}

// Wakes asks a controller to sync all objects, without decoding them.
func Wakes(controller string, objects []*object.Version) []plan.Wake {
	wakes := make([]plan.Wake, len(objects))
	for i, o := range objects {
		named := &metav1.PartialObjectMetadata{ObjectMeta: metav1.ObjectMeta{Namespace: o.Namespace, Name: o.Name, UID: o.UID}}
		wakes[i] = plan.Wake{Controller: controller, Object: named}
	}
	return wakes
}
