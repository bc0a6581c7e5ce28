// Package definition validates CustomResourceDefinitions: names, versions, schemas, rules and
// conversion. Package customresource applies valid definitions to their objects.
//
// Validation uses upstream's internal form, because errors name its fields: what all versions have
// in common is hoisted to "spec.validation" or "spec.subresources".
//
// Differs: upstream tolerates errors in stored definitions that older releases accepted. Rowlock
// has no such definitions, so only the differences that Kubernetes 1.36 itself makes between
// creation and update are here.
package definition
