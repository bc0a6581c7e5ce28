// Package control serves Rowlock's own operations under /rowlock/v1/. Their types are those of
// api/v1. huma reads each request into a typed input, whose tags say what parameters mean and what
// they may be, and describes it in the OpenAPI document; a mistake that huma finds becomes a Status
// like every other error (see typed).
package control
