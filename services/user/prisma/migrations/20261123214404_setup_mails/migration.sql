-- What the list of users shows, and is filtered by, of first passwords.
SELECT set_config('app.scope', 'system', true);

-- AlterTable
ALTER TABLE "accounts"
  ADD COLUMN "password_set" BOOLEAN NOT NULL GENERATED ALWAYS AS ("password_hash" IS NOT NULL) STORED,
  ADD COLUMN "setup_mail_sent_at" TIMESTAMPTZ(3),
  ADD COLUMN "setup_mails" TIMESTAMPTZ(3)[] DEFAULT ARRAY[]::TIMESTAMPTZ(3)[];

-- The orders of the list, each with all that it is filtered by.
DROP INDEX "users_by_id_idx";
DROP INDEX "users_by_name_idx";
DROP INDEX "users_by_email_idx";
DROP INDEX "users_by_login_user_id_idx";
DROP INDEX "users_by_created_idx";
DROP INDEX "users_by_last_login_idx";
CREATE INDEX "users_by_id_idx" ON "accounts"("partner_id", "id")
  INCLUDE ("created_at", "last_login_at", "group_marks", "platform_marks", "password_set", "name_key", "email_key", "login_user_id_key") WHERE "is_user";
CREATE INDEX "users_by_name_idx" ON "accounts"("partner_id", "name_key", "id")
  INCLUDE ("created_at", "last_login_at", "group_marks", "platform_marks", "password_set", "email_key", "login_user_id_key") WHERE "is_user";
CREATE INDEX "users_by_email_idx" ON "accounts"("partner_id", "email_key", "id")
  INCLUDE ("created_at", "last_login_at", "group_marks", "platform_marks", "password_set", "name_key", "login_user_id_key") WHERE "is_user";
CREATE INDEX "users_by_login_user_id_idx" ON "accounts"("partner_id", "login_user_id_key", "id")
  INCLUDE ("created_at", "last_login_at", "group_marks", "platform_marks", "password_set", "name_key", "email_key") WHERE "is_user";
CREATE INDEX "users_by_created_idx" ON "accounts"("partner_id", "created_at", "id")
  INCLUDE ("last_login_at", "group_marks", "platform_marks", "password_set", "name_key", "email_key", "login_user_id_key") WHERE "is_user";
CREATE INDEX "users_by_last_login_idx" ON "accounts"("partner_id", "last_login_at", "id")
  INCLUDE ("created_at", "group_marks", "platform_marks", "password_set", "name_key", "email_key", "login_user_id_key") WHERE "is_user";

CREATE OR REPLACE FUNCTION accounts_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        PERFORM tally_users(partner_id, count(*) FILTER (WHERE is_user)) FROM after GROUP BY partner_id;
    ELSIF TG_OP = 'DELETE' THEN
        PERFORM tally_users(partner_id, -count(*) FILTER (WHERE is_user)) FROM before GROUP BY partner_id;
    ELSE
        -- Not so a sign-in.
        PERFORM tally_users(a.partner_id, sum(a.is_user::integer - b.is_user::integer))
        FROM before b JOIN after a ON a.id = b.id
        WHERE (a.is_user, a.name_key, a.email_key, a.login_user_id_key, a.created_at, a.password_hash IS NULL)
            IS DISTINCT FROM (b.is_user, b.name_key, b.email_key, b.login_user_id_key, b.created_at, b.password_hash IS NULL)
        GROUP BY a.partner_id;
    END IF;
    RETURN NULL;
END;
$$;
