-- Null is a licence that does not end. What is `unknown` the service asks the tenant service about.
ALTER TABLE "partners" ADD COLUMN "license_expired_on" TEXT DEFAULT 'unknown';
