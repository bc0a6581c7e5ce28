-- Has Services looked at by what they select, and objects by their names.
SELECT wake_endpoints(
    _namespace => $1, _labels => $2, _resource => $3, _in => $4, _name => $5, _controller => $6, _selected => $7,
    _changed => $8, _changed_resource => $9)
