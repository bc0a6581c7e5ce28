# Nothing is to be prepared.
