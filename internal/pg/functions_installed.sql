-- The functions that InstallFunctions has installed, recognised by their comments.
SELECT p.proname, p.oid::regprocedure::text, p.prosrc, d.description
FROM pg_proc p JOIN pg_description d ON d.classoid = 'pg_proc'::regclass AND d.objoid = p.oid AND d.objsubid = 0
WHERE p.pronamespace = current_schema()::regnamespace AND d.description LIKE 'Rowlock: %'
ORDER BY 2
