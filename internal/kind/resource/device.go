package resource

import (
	resourcev1 "k8s.io/api/resource/v1"
)

// deviceID identifies a device and a share of it.
type deviceID struct{ driver, pool, device, share string }

// String returns the form used in messages.
//
// Source: kubernetes v1.36 staging/src/k8s.io/dynamic-resource-allocation/structured/schedulerapi/types.go, SharedDeviceID.String
func (d deviceID) String() string {
	text := d.driver + "/" + d.pool + "/" + d.device
	if d.share != "" {
		text += "/" + d.share
	}
	return text
}

func allocatedDevices(a *resourcev1.AllocationResult) map[deviceID]bool {
	ids := map[deviceID]bool{}
	if a == nil {
		return ids
	}
	for _, r := range a.Devices.Results {
		id := deviceID{driver: r.Driver, pool: r.Pool, device: r.Device}
		if r.ShareID != nil {
			id.share = string(*r.ShareID)
		}
		ids[id] = true
	}
	return ids
}

func statusDevice(d *resourcev1.AllocatedDeviceStatus) deviceID {
	id := deviceID{driver: d.Driver, pool: d.Pool, device: d.Device}
	if d.ShareID != nil {
		id.share = *d.ShareID
	}
	return id
}
