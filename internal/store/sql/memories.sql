-- The memories beside some objects: one probe of the primary key each.
SELECT m.uid::text, m.state FROM unnest($1::uuid[]) AS o (uid) JOIN memories m ON m.uid = o.uid
