-- Where tries at logins that nobody has are counted, by a hash of the login: they cost a write as those of accounts do.
CREATE TABLE messaging.unknown_login (
  place integer PRIMARY KEY,
  tries bigint NOT NULL DEFAULT 0
) WITH (fillfactor = 50);

INSERT INTO messaging.unknown_login (place) SELECT generate_series(0, 63);
