package history

import (
	"fmt"

	resourcev1 "k8s.io/api/resource/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/object"
)

// Devices checks at every revision that no device is allocated to two ResourceClaims. It leaves out
// devices that several may have at once, by admin access or in shares.
func Devices(h History) []Violation {
	var found []Violation
	holders := map[string]types.UID{} // by device
	held := map[types.UID][]string{}
	names := map[types.UID]object.Key{}
	for _, e := range h {
		if e.Key.Resource != "resourceclaims.resource.k8s.io" {
			continue
		}
		for _, d := range held[e.UID] {
			delete(holders, d)
		}
		delete(held, e.UID)
		names[e.UID] = e.Key
		claim, ok := e.Object.(*resourcev1.ResourceClaim)
		if !ok || e.Verb == object.Deleted || claim.Status.Allocation == nil {
			continue
		}
		for i := range claim.Status.Allocation.Devices.Results {
			r := &claim.Status.Allocation.Devices.Results[i]
			if r.ShareID != nil || r.AdminAccess != nil && *r.AdminAccess {
				continue
			}
			d := r.Driver + "/" + r.Pool + "/" + r.Device
			if other, taken := holders[d]; taken {
				found = append(found, Violation{e.Revision, e.Key, fmt.Sprintf("gets the device %s, which %s has", d, names[other].Name)})
				continue
			}
			holders[d] = e.UID
			held[e.UID] = append(held[e.UID], d)
		}
	}
	return found
}
