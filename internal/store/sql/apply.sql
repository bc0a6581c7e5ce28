-- One call makes, numbers and writes all changes of a transaction: see migrations/functions/apply.sql.
SELECT outcomes, last, at, heads, woken, refused FROM apply(
    _verb => $1, _uid => $2, _resource => $3, _namespace => $4, _name => $5, _base => $6, _terminating => $7,
    _needs => $8, _plan => $9, _cause => $10, _writer => $11, _body => $12, _owned => $13, _owner_of => $14,
    _owner => $15, _selector_of => $16, _selector_controller => $17, _selector => $18, _reserving => $19,
    _reserved_of => $20, _reserved => $21, _label_of => $22, _labels => $23, _selected_of => $24, _selected_by => $25,
    _selected => $26, _wake_of => $27, _wake_controller => $28, _wake_uid => $29, _wake_resource => $30,
    _wake_namespace => $31, _wake_name => $32, _wake_due => $33, _wake_terminating => $34, _controller => $35,
    _acks => $36, _again => $37, _again_due => $38, _again_attempt => $39, _again_cause => $40, _quota => $41)
