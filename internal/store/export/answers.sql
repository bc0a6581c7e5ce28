-- The answers to calls of existing Pods that have not collected them yet. \x00 says that a server
-- has taken the call, which the server's own memory says too.
SELECT c.caller, c.number, c.callee, c.at, greatest(c.due, c.at), c.answer FROM calls c JOIN objects o ON o.uid = c.caller
WHERE c.answer IS NOT NULL AND c.answer <> '\x00'
