-- The memories beside existing objects; objects that are gone may have left some behind.
SELECT m.uid, m.state FROM memories m JOIN objects o ON o.uid = m.uid
