// Package apiextensions defines the kind CustomResourceDefinition. The semantics of the objects
// that it defines are in internal/customresource.
package apiextensions
