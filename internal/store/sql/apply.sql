-- One call makes, numbers and writes all changes of a transaction: see migrations/functions/apply.sql.
SELECT outcomes, last, at, heads, woken, refused FROM apply(
    _verb => $1, _uid => $2, _resource => $3, _namespace => $4, _name => $5, _base => $6, _terminating => $7,
    _needs => $8, _plan => $9, _cause => $10, _writer => $11, _body => $12, _owned => $13, _owner_of => $14,
    _owner => $15, _selector_of => $16, _selector_controller => $17, _selector => $18, _reserving => $19,
    _reserved_of => $20, _reserved => $21, _label_of => $22, _labels => $23, _wake_of => $24,
    _wake_controller => $25, _wake_uid => $26, _wake_resource => $27, _wake_name => $28, _wake_due => $29,
    _wake_terminating => $30, _controller => $31, _acks => $32, _again => $33, _again_due => $34,
    _again_attempt => $35, _again_cause => $36, _quota => $37)
