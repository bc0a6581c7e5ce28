// Package customresource applies CustomResourceDefinitions to the objects that they define:
// pruning, defaults, validation, subresources, tables, and OpenAPI documents. Its subpackages
// validate the definitions themselves. Everything here is pure: no clock, no randomness, no I/O.
//
// # Using it
//
// Compile turns a definition into a Definition, which has a Version for each version that is served
// or stored. Compile is cheap: it does not read schemas. A Version compiles its schema at the first
// use and shares the result with equal schemas in the process (see cache.go). A Definition is
// immutable and safe to share.
//
// A write of a custom resource goes through these steps, in the version of the request:
//
//  1. Version.Admit coerces metadata, prunes, applies defaults, and reports unknown fields.
//  2. Definition.TypeConverter merges an applied configuration.
//  3. Version.PrepareCreate, PrepareUpdate, or PrepareStatusUpdate resets fields that the client may
//     not change.
//  4. Version.Default, again after each admission plugin that changes the object.
//  5. Version.Validate, ValidateUpdate, or ValidateStatusUpdate.
//  6. Definition.Convert to the storage version.
//
// A read passes the stored object through Version.Restore of its stored version, then through
// Definition.Convert.
package customresource
