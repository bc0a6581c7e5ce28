// Package apiextensions has CustomResourceDefinition as an object; what a definition means for the
// objects of its kind is in internal/customresource.
package apiextensions
