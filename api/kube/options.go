package kube

import (
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	metavalidation "k8s.io/apimachinery/pkg/apis/meta/v1/validation"
	"k8s.io/apimachinery/pkg/types"

	"github.com/rowlock/rowlock/api/kube/wire"
)

// writeOptions holds the common options of create, update and patch.
type writeOptions struct {
	dryRun          bool
	fieldValidation string
	fieldManager    string
	force           *bool // patches only
}

func createOptions(req *http.Request) (writeOptions, error) {
	var o metav1.CreateOptions
	if err := wire.DecodeQuery(req, &o); err != nil {
		return writeOptions{}, err
	}
	err := wire.InvalidOptions("CreateOptions", metavalidation.ValidateCreateOptions(&o))
	return writeOptions{dryRun: len(o.DryRun) > 0, fieldValidation: o.FieldValidation, fieldManager: o.FieldManager}, err
}

func updateOptions(req *http.Request) (writeOptions, error) {
	var o metav1.UpdateOptions
	if err := wire.DecodeQuery(req, &o); err != nil {
		return writeOptions{}, err
	}
	err := wire.InvalidOptions("UpdateOptions", metavalidation.ValidateUpdateOptions(&o))
	return writeOptions{dryRun: len(o.DryRun) > 0, fieldValidation: o.FieldValidation, fieldManager: o.FieldManager}, err
}

func patchOptions(req *http.Request, media types.PatchType) (writeOptions, error) {
	var o metav1.PatchOptions
	if err := wire.DecodeQuery(req, &o); err != nil {
		return writeOptions{}, err
	}
	err := wire.InvalidOptions("PatchOptions", metavalidation.ValidatePatchOptions(&o, media))
	return writeOptions{dryRun: len(o.DryRun) > 0, fieldValidation: o.FieldValidation, fieldManager: o.FieldManager, force: o.Force}, err
}
