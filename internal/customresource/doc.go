// Package customresource holds what CustomResourceDefinitions mean for the objects that they
// define: pruning, defaults, validation, subresources, tables, and OpenAPI documents. The packages
// below it judge definitions themselves. Everything here is pure: no clock, no randomness, no I/O.
//
// # Using it
//
// Compile turns a definition into a Definition, which has a Version for each version that is served
// or stored. Compile is cheap: it reads no schema. A Version makes what it needs of its schema at
// the first use, and shares it with equal schemas everywhere in the process (see cache.go). A
// Definition is immutable and safe to share.
//
// A write of a custom resource goes through these steps, in the version of the request:
//
//  1. Version.Admit coerces metadata, prunes, and defaults what the client sent, and names unknown fields.
//  2. Definition.TypeConverter merges what is applied.
//  3. Version.PrepareCreate, PrepareUpdate, or PrepareStatusUpdate keeps what the client may not change.
//  4. Version.Default, again after each admission plugin that changes the object.
//  5. Version.Validate, ValidateUpdate, or ValidateStatusUpdate.
//  6. Definition.Convert to the storage version.
//
// A read takes the stored object through Version.Restore of the version it is stored in, and then
// Definition.Convert.
package customresource
