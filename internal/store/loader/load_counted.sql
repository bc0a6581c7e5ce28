-- All objects of some namespaces in the state being loaded, in which each object has one version.
SELECT l.resource, l.body FROM loaded l WHERE l.namespace = ANY ($1)
