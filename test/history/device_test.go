package history_test

import (
	"testing"

	resourcev1 "k8s.io/api/resource/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/internal/object"
	"github.com/rowlock/rowlock/test/history"
)

func TestDevices(t *testing.T) {
	t.Parallel()
	claim := func(verb object.Verb, name string, results ...resourcev1.DeviceRequestAllocationResult) history.Entry {
		o := &resourcev1.ResourceClaim{ObjectMeta: metav1.ObjectMeta{Name: name, UID: types.UID(name)}}
		if len(results) > 0 {
			o.Status.Allocation = &resourcev1.AllocationResult{Devices: resourcev1.DeviceAllocationResult{Results: results}}
		}
		return history.Entry{Key: object.Key{Resource: "resourceclaims.resource.k8s.io", Name: name}, UID: o.UID, Verb: verb, Object: o}
	}
	device := resourcev1.DeviceRequestAllocationResult{Driver: "d", Pool: "p", Device: "gpu"}
	other, admin, share := device, device, device
	other.Device, admin.AdminAccess, share.ShareID = "gpu-2", new(true), new(types.UID("s"))
	run(t, history.Devices, []row{
		{"one after another", log(
			claim(object.Created, "a"), claim(object.Updated, "a", device), claim(object.Updated, "a", device), claim(object.Updated, "a"),
			claim(object.Created, "b", device), claim(object.Deleted, "b", device), claim(object.Created, "c", device),
		), nil},
		{"two devices, and those that are shared", log(claim(object.Created, "a", device), claim(object.Created, "b", other, admin, share)), nil},
		{"two at once", log(claim(object.Created, "a", device, other), claim(object.Updated, "b", device), claim(object.Updated, "a", other)), []string{
			"revision 2, resourceclaims.resource.k8s.io/b: gets the device d/p/gpu, which a has",
		}},
		{"taken with a deletion", log(claim(object.Created, "a", device), claim(object.Created, "b"), claim(object.Deleted, "b", device)), nil},
	})
}
