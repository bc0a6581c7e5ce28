package resource

import (
	"fmt"
	"strings"

	"github.com/google/uuid"
	resourcev1 "k8s.io/api/resource/v1"
	metav1validation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/sets"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/rowlock/rowlock/internal/kind/check"
)

// validateClaimOfDevicesStatus validates a status written by the scheduler, a controller or a
// driver.
//
// Source: kubernetes v1.36 pkg/apis/resource/validation/validation.go, validateResourceClaimStatusUpdate
func validateClaimOfDevicesStatus(c, was *resourcev1.ResourceClaim) field.ErrorList {
	s, path := &c.Status, field.NewPath("status")
	errs := check.MetaUpdate(&c.ObjectMeta, &was.ObjectMeta)
	errs = append(errs, validateDistinct(s.ReservedFor, resourcev1.ResourceClaimReservedForMaxSize,
		func(r *resourcev1.ResourceClaimConsumerReference) types.UID { return r.UID }, path.Child("reservedFor"), validateConsumer)...)

	allocated := allocatedDevices(s.Allocation)
	errs = append(errs, validateDistinct(s.Devices, len(s.Devices), statusDevice, path.Child("devices"),
		func(d *resourcev1.AllocatedDeviceStatus, at *field.Path) field.ErrorList {
			return validateDeviceStatus(d, allocated, at)
		})...)
	errs = append(errs, validateReservations(c, &was.Status, path)...)

	at := path.Child("allocation")
	switch {
	case s.Allocation == nil:
	case was.Status.Allocation != nil:
		errs = append(errs, check.Same(s.Allocation, was.Status.Allocation, at)...)
	default:
		errs = append(errs, validateAllocation(s.Allocation, namesOfRequests(&c.Spec.Devices), at)...)
	}
	return errs
}

// validateReservations checks that only an allocated claim is reserved, and that a claim being
// deleted gets no new reservation.
func validateReservations(c *resourcev1.ResourceClaim, was *resourcev1.ResourceClaimStatus, path *field.Path) field.ErrorList {
	if path = path.Child("reservedFor"); len(c.Status.ReservedFor) == 0 {
		return nil
	}
	if c.Status.Allocation == nil {
		return field.ErrorList{field.Forbidden(path, "may not be specified when `allocated` is not set")}
	}
	if c.DeletionTimestamp != nil && !sets.New(was.ReservedFor...).HasAll(c.Status.ReservedFor...) {
		return field.ErrorList{field.Forbidden(path, "new entries may not be added while `deallocationRequested` or `deletionTimestamp` are set")}
	}
	return nil
}

func validateConsumer(r *resourcev1.ResourceClaimConsumerReference, path *field.Path) field.ErrorList {
	return check.Required(path, check.Need("resource", r.Resource), check.Need("name", r.Name), check.Need("uid", string(r.UID)))
}

// Source: kubernetes v1.36 pkg/apis/resource/validation/validation.go, validateAllocationResult and validateDeviceAllocationResult
func validateAllocation(a *resourcev1.AllocationResult, names requestNames, path *field.Path) field.ErrorList {
	devices := path.Child("devices")
	errs := validateSome(a.Devices.Results, resourcev1.AllocationResultsMaxSize, devices.Child("results"),
		func(r *resourcev1.DeviceRequestAllocationResult, at *field.Path) field.ErrorList {
			errs := names.validate(&r.Request, at.Child("request"))
			errs = append(errs, check.DriverName(r.Driver, at.Child("driver"))...)
			errs = append(errs, validatePoolName(r.Pool, at.Child("pool"))...)
			errs = append(errs, check.DNSLabel(r.Device, at.Child("device"))...)
			errs = append(errs, validateBindingConditions(r.BindingConditions, r.BindingFailureConditions, at)...)
			if r.ShareID != nil {
				errs = append(errs, validateShareID(string(*r.ShareID), at.Child("shareID"))...)
			}
			return errs
		})
	errs = append(errs, validateSome(a.Devices.Config, 2*resourcev1.DeviceConfigMaxSize, devices.Child("config"),
		func(c *resourcev1.DeviceAllocationConfiguration, at *field.Path) field.ErrorList {
			errs := check.RequiredEnum(c.Source, []resourcev1.AllocationConfigSource{
				resourcev1.AllocationConfigSourceClaim, resourcev1.AllocationConfigSourceClass,
			}, at.Child("source"))
			errs = append(errs, names.validateReferences(c.Requests, at.Child("requests"))...)
			return append(errs, validateDeviceConfiguration(&c.DeviceConfiguration, false, at)...)
		})...)
	if a.NodeSelector != nil {
		errs = append(errs, validateRequiredNodes(a.NodeSelector, path.Child("nodeSelector"))...)
	}
	return errs
}

// Source: kubernetes v1.36 pkg/apis/resource/validation/validation.go, validateDeviceStatus
func validateDeviceStatus(d *resourcev1.AllocatedDeviceStatus, allocated map[deviceID]bool, path *field.Path) field.ErrorList {
	errs := check.DriverName(d.Driver, path.Child("driver"))
	errs = append(errs, validatePoolName(d.Pool, path.Child("pool"))...)
	errs = append(errs, check.DNSLabel(d.Device, path.Child("device"))...)
	if d.ShareID != nil {
		errs = append(errs, validateShareID(*d.ShareID, path.Child("shareID"))...)
	}
	if id := statusDevice(d); !allocated[id] {
		errs = append(errs, field.Invalid(path, id.String(), "must be an allocated device in the claim"))
	}
	if len(d.Conditions) > resourcev1.AllocatedDeviceStatusMaxConditions {
		errs = append(errs, field.TooMany(path.Child("conditions"), len(d.Conditions), resourcev1.AllocatedDeviceStatusMaxConditions))
	}
	errs = append(errs, metav1validation.ValidateConditions(d.Conditions, path.Child("conditions"))...)
	if d.Data != nil && len(d.Data.Raw) > 0 {
		errs = append(errs, validateRawObject(d.Data.Raw, resourcev1.AllocatedDeviceStatusDataMaxLength, path.Child("data"))...)
	}
	return append(errs, validateNetworkData(d.NetworkData, path.Child("networkData"))...)
}

// Source: kubernetes v1.36 pkg/apis/resource/validation/validation.go, validateNetworkDeviceData
func validateNetworkData(n *resourcev1.NetworkDeviceData, path *field.Path) field.ErrorList {
	if n == nil {
		return nil
	}
	var errs field.ErrorList
	if len(n.InterfaceName) > resourcev1.NetworkDeviceDataInterfaceNameMaxLength {
		errs = append(errs, field.TooLong(path.Child("interfaceName"), "", resourcev1.NetworkDeviceDataInterfaceNameMaxLength))
	}
	if len(n.HardwareAddress) > resourcev1.NetworkDeviceDataHardwareAddressMaxLength {
		errs = append(errs, field.TooLong(path.Child("hardwareAddress"), "", resourcev1.NetworkDeviceDataHardwareAddressMaxLength))
	}
	return append(errs, validateDistinct(n.IPs, resourcev1.NetworkDeviceDataMaxIPs, itself, path.Child("ips"),
		func(ip *string, at *field.Path) field.ErrorList {
			return utilvalidation.IsValidInterfaceAddress(at, *ip)
		})...)
}

// Source: kubernetes v1.36 pkg/apis/resource/validation/validation.go, validateUID
func validateShareID(id string, path *field.Path) field.ErrorList {
	if err := uuid.Validate(id); err != nil {
		return field.ErrorList{field.Invalid(path, id, fmt.Sprintf("error validating uid: %v", err))}
	}
	if len(id) != 36 || id != strings.ToLower(id) {
		return field.ErrorList{field.Invalid(path, id,
			"uid must be in RFC 4122 normalized form, `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` with lowercase hexadecimal characters")}
	}
	return nil
}
