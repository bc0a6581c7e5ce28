// Package definition judges CustomResourceDefinitions: their names, versions, schemas, rules, and
// conversion. What valid definitions mean for their objects is in internal/customresource.
//
// Definitions are judged in upstream's internal form, because errors name fields of that form: what
// is the same in all versions is hoisted to "spec.validation" or "spec.subresources" there.
//
// Differs: upstream lets through faults that older releases let through in stored definitions. Rowlock has stored none such, so only
// the differences that Kubernetes 1.36 itself makes between creation and update are here.
package definition
