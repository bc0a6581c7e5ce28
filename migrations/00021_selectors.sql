-- +goose Up

-- Several controllers go by selectors that may change: those of a namespace are found by the controller.
CREATE INDEX selectors_controller ON selectors (namespace, controller);
DROP INDEX selectors_endpoints;
DROP INDEX selectors_namespace;

-- The function of another name takes its place.
DROP FUNCTION IF EXISTS wake_endpoints;

-- +goose Down
CREATE INDEX selectors_namespace ON selectors (namespace);
CREATE INDEX selectors_endpoints ON selectors (namespace) WHERE controller = 'endpoints';
DROP INDEX selectors_controller;
