// Package stack tests docker-compose.yml and the Dockerfile on a real engine, as docs/guide/compose.md
// describes them: `make test-stack`, also part of `make test`. Without an engine, or where the base
// images are neither there nor can be pulled, its tests are skipped and say so.
package stack
