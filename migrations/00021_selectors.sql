-- +goose Up

-- Several controllers use selectors that may change: those of a namespace are found by controller.
CREATE INDEX selectors_controller ON selectors (namespace, controller);
DROP INDEX selectors_endpoints;
DROP INDEX selectors_namespace;

-- A function with another name replaces it.
DROP FUNCTION IF EXISTS wake_endpoints;

-- +goose Down
CREATE INDEX selectors_namespace ON selectors (namespace);
CREATE INDEX selectors_endpoints ON selectors (namespace) WHERE controller = 'endpoints';
DROP INDEX selectors_controller;
