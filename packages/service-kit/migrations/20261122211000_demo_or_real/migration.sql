-- Whether this database is filled with the demo or with real data, settled when a service first starts on it.
CREATE TABLE messaging.installation (
  one boolean PRIMARY KEY DEFAULT true CHECK (one),
  demo boolean NOT NULL
);
