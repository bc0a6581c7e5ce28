-- Keeps every row that compaction removes from the log, so that a new history does not remove what
-- the checks need. A session whose search_path begins with campaign reads all of it as its log.
CREATE SCHEMA campaign;
CREATE TABLE campaign.removed (LIKE public.log INCLUDING STORAGE);
CREATE FUNCTION campaign.keep() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO campaign.removed SELECT OLD.*;
    RETURN OLD;
END $$;
CREATE TRIGGER keep BEFORE DELETE ON public.log FOR EACH ROW EXECUTE FUNCTION campaign.keep();
CREATE VIEW campaign.log AS SELECT * FROM public.log UNION ALL SELECT * FROM campaign.removed;
