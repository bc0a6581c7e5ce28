-- What is remembered beside some objects: a probe of the primary key for each.
SELECT m.uid::text, m.state FROM unnest($1::uuid[]) AS o (uid) JOIN memories m ON m.uid = o.uid
