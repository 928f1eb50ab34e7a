-- How far each copy of another service's things has come: the revision of what is kept of a thing, and when it was deleted.
-- A row decides under its lock, so that neither a late event nor a late answer undoes a newer one, or brings back what is gone.
CREATE TABLE messaging.copy (
  name text NOT NULL,
  id integer NOT NULL,
  partner_id integer,
  revision integer NOT NULL,
  deleted_at timestamptz,
  PRIMARY KEY (name, id)
);

CREATE INDEX copy_partner_id ON messaging.copy (partner_id);
CREATE INDEX copy_deleted_at ON messaging.copy (deleted_at) WHERE deleted_at IS NOT NULL;
