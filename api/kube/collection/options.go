package collection

import (
	"net/http"

	"k8s.io/apimachinery/pkg/apis/meta/internalversion"
	"k8s.io/apimachinery/pkg/apis/meta/internalversion/validation"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/rowlock/rowlock/api/kube/wire"
	"github.com/rowlock/rowlock/internal/object"
)

// Question returns the format and the options that a GET on a collection asks for.
func Question(req *http.Request, o *wire.Offer) (wire.Representation, *internalversion.ListOptions, error) {
	rep, err := wire.Negotiate(req, o)
	if err != nil {
		return rep, nil, err
	}
	opts, err := Options(req)
	return rep, opts, err
}

// Options parses and validates the options of a list or watch.
func Options(req *http.Request) (*internalversion.ListOptions, error) {
	opts := new(internalversion.ListOptions)
	if err := wire.DecodeQuery(req, opts); err != nil {
		return nil, err
	}
	return JudgeOptions(opts)
}

// JudgeOptions applies defaults, in place, and rejects contradictory options.
func JudgeOptions(opts *internalversion.ListOptions) (*internalversion.ListOptions, error) {
	internalversion.SetListOptionsDefaults(opts, true)
	return opts, wire.InvalidOptions("ListOptions", validation.ValidateListOptions(opts, true))
}

// Exact reports whether a list must be read at exactly a revision.
func Exact(opts *internalversion.ListOptions, at object.Revision) bool {
	return opts.ResourceVersionMatch == metav1.ResourceVersionMatchExact ||
		opts.ResourceVersionMatch == "" && at > 0 && (opts.Limit > 0 || opts.Continue != "")
}
