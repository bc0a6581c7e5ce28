-- All objects of some namespaces in the state that is being loaded, of which each has one version.
SELECT l.resource, l.body FROM loaded l WHERE l.namespace = ANY ($1)
