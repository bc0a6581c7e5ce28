package definition

import (
	"fmt"
	"net/url"
	"slices"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions"
	utilvalidation "k8s.io/apimachinery/pkg/util/validation"
	"k8s.io/apimachinery/pkg/util/validation/field"
	"k8s.io/client-go/transport"
)

// reviewVersions are the supported versions of ConversionReview.
var reviewVersions = []string{"v1", "v1beta1"}

// checkConversion validates spec.conversion. If anyBundle is set, it accepts CA bundles that do not
// parse.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go,
// validateCustomResourceConversion
func checkConversion(c *apiextensions.CustomResourceConversion, anyBundle bool, path *field.Path) field.ErrorList {
	if c == nil {
		return nil
	}
	errs := checkEnum(path.Child("strategy"), string(c.Strategy), []string{string(apiextensions.NoneConverter), string(apiextensions.WebhookConverter)})
	at := path.Child("webhookClientConfig")
	if c.Strategy != apiextensions.WebhookConverter {
		const only = "should not be set when strategy is not set to Webhook"
		if c.WebhookClientConfig != nil {
			errs = append(errs, field.Forbidden(at, only))
		}
		if len(c.ConversionReviewVersions) > 0 {
			errs = append(errs, field.Forbidden(path.Child("conversionReviewVersions"), only))
		}
		return errs
	}
	client := c.WebhookClientConfig
	switch {
	case client == nil:
		errs = append(errs, field.Required(at, "required when strategy is set to Webhook"))
	case (client.URL == nil) == (client.Service == nil):
		errs = append(errs, field.Required(at, "exactly one of url or service is required"))
	case client.URL != nil:
		errs = append(errs, checkURL(at.Child("url"), *client.URL)...)
	default:
		errs = append(errs, checkService(at.Child("service"), client.Service)...)
	}
	if client != nil && len(client.CABundle) > 0 && !anyBundle {
		errs = append(errs, checkBundle(at.Child("caBundle"), client.CABundle)...)
	}
	return append(errs, checkReviewVersions(c.ConversionReviewVersions, path.Child("conversionReviewVersions"))...)
}

// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go,
// validateConversionReviewVersions
func checkReviewVersions(versions []string, path *field.Path) (errs field.ErrorList) {
	if len(versions) == 0 {
		return field.ErrorList{field.Required(path, "")}
	}
	spoken := false
	for i, v := range versions {
		if slices.Contains(versions[:i], v) {
			errs = append(errs, field.Invalid(path.Index(i), v, "duplicate version"))
			continue
		}
		for _, fault := range utilvalidation.IsDNS1035Label(v) {
			errs = append(errs, field.Invalid(path.Index(i), v, fault))
		}
		spoken = spoken || slices.Contains(reviewVersions, v)
	}
	if !spoken {
		errs = append(errs, field.Invalid(path, versions, "must include at least one of "+strings.Join(reviewVersions, ", ")))
	}
	return errs
}

// mayHaveAnyBundle reports whether an update of a definition may leave a CA bundle that does not
// parse: the definition has one already, or is not established.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/validation/validation.go, allowInvalidCABundle
func mayHaveAnyBundle(old *apiextensions.CustomResourceDefinition) bool {
	if !apiextensions.IsCRDConditionTrue(old, apiextensions.Established) {
		return true
	}
	c := old.Spec.Conversion
	if c == nil || c.WebhookClientConfig == nil || len(c.WebhookClientConfig.CABundle) == 0 {
		return false
	}
	return len(checkBundle(nil, c.WebhookClientConfig.CABundle)) > 0
}

// CheckBundle validates the CA bundle of a conversion webhook. An established definition must have
// one that parses.
func CheckBundle(bundle []byte) error {
	_, err := transport.TLSConfigFor(&transport.Config{TLS: transport.TLSConfig{CAData: bundle}})
	return err
}

// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/util/webhook/validation.go, ValidateCABundle
func checkBundle(path *field.Path, bundle []byte) field.ErrorList {
	if err := CheckBundle(bundle); err != nil {
		return field.ErrorList{field.Invalid(path, bundle, err.Error())}
	}
	return nil
}

// checkURL validates the URL of a webhook outside the cluster.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/util/webhook/validation.go, ValidateWebhookURL
func checkURL(path *field.Path, text string) (errs field.ErrorList) {
	const form = "; desired format: https://host[/path]"
	u, err := url.Parse(text)
	if err != nil {
		return field.ErrorList{field.Required(path, "url must be a valid URL: "+err.Error()+form)}
	}
	if u.Scheme != "https" {
		errs = append(errs, field.Invalid(path, u.Scheme, "'https' is the only allowed URL scheme"+form))
	}
	if u.Host == "" {
		errs = append(errs, field.Invalid(path, u.Host, "host must be specified"+form))
	}
	if u.User != nil {
		errs = append(errs, field.Invalid(path, u.User.String(), "user information is not permitted in the URL"))
	}
	if u.Fragment != "" {
		errs = append(errs, field.Invalid(path, u.Fragment, "fragments are not permitted in the URL"))
	}
	if u.RawQuery != "" {
		errs = append(errs, field.Invalid(path, u.RawQuery, "query parameters are not permitted in the URL"))
	}
	return errs
}

// checkService validates the Service of a webhook. It reports a missing name as a missing namespace
// and vice versa, because upstream passes the two in the wrong order.
//
// Source: kubernetes v1.36 staging/src/k8s.io/apiserver/pkg/util/webhook/validation.go, ValidateWebhookService
func checkService(path *field.Path, s *apiextensions.ServiceReference) (errs field.ErrorList) {
	if s.Namespace == "" {
		errs = append(errs, field.Required(path.Child("name"), ""))
	}
	if s.Name == "" {
		errs = append(errs, field.Required(path.Child("namespace"), ""))
	}
	if faults := utilvalidation.IsValidPortNum(int(s.Port)); faults != nil {
		errs = append(errs, field.Invalid(path.Child("port"), s.Port, "port is not valid: "+strings.Join(faults, ", ")))
	}
	if s.Path == nil || *s.Path == "" || *s.Path == "/" {
		return errs
	}
	at, text := path.Child("path"), *s.Path
	if text == "//" {
		return append(errs, field.Invalid(at, text, "segment[0] may not be empty"))
	}
	if text[0] != '/' {
		errs = append(errs, field.Invalid(at, text, "must start with a '/'"))
	}
	for i, segment := range strings.Split(strings.TrimSuffix(text[1:], "/"), "/") {
		if segment == "" {
			errs = append(errs, field.Invalid(at, text, fmt.Sprintf("segment[%d] may not be empty", i)))
			continue
		}
		for _, fault := range utilvalidation.IsDNS1123Subdomain(segment) {
			errs = append(errs, field.Invalid(at, text, fmt.Sprintf("segment[%d]: %v", i, fault)))
		}
	}
	return errs
}

// checkEnum validates a required value that must be one of accepted.
func checkEnum(path *field.Path, value string, accepted []string) field.ErrorList {
	switch {
	case value == "":
		return field.ErrorList{field.Required(path, "")}
	case slices.Contains(accepted, value):
		return nil
	}
	return field.ErrorList{field.NotSupported(path, value, accepted)}
}
