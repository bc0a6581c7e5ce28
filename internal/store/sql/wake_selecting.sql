-- Has Services and budgets synced by what they select, and objects by their names.
SELECT wake_selecting(
    _selecting => $1, _namespace => $2, _labels => $3, _resource => $4, _in => $5, _name => $6, _controller => $7, _selected => $8,
    _changed => $9, _changed_resource => $10)
