// Package control serves Rowlock's own operations under /rowlock/v1/. Their types are in api/v1.
// huma reads each request into a typed input, whose tags document and bound the parameters, and
// describes it in the OpenAPI document. An input error that huma finds becomes a Status like every
// other error (see typed).
package control
