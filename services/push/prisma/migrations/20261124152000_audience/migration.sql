-- CreateTable
CREATE TABLE "groups" (
    "group_id" INTEGER NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "name" TEXT NOT NULL,

    CONSTRAINT "groups_pkey" PRIMARY KEY ("group_id")
);

-- CreateTable
CREATE TABLE "people" (
    "user_id" INTEGER NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "login_id" TEXT NOT NULL,
    "is_user" BOOLEAN NOT NULL,
    "devices" INTEGER NOT NULL DEFAULT 0,

    CONSTRAINT "people_pkey" PRIMARY KEY ("user_id")
);

-- CreateTable
CREATE TABLE "memberships" (
    "partner_id" INTEGER NOT NULL,
    "group_id" INTEGER NOT NULL,
    "user_id" INTEGER NOT NULL,

    CONSTRAINT "memberships_pkey" PRIMARY KEY ("partner_id","group_id","user_id")
);

-- CreateTable
CREATE TABLE "devices" (
    "partner_id" INTEGER NOT NULL,
    "uuid" TEXT NOT NULL,
    "user_id" INTEGER NOT NULL,
    "registration" INTEGER NOT NULL,
    "service" TEXT NOT NULL,
    "number" BIGINT NOT NULL,
    "token" BYTEA NOT NULL,
    "token_hash" BYTEA NOT NULL,

    CONSTRAINT "devices_pkey" PRIMARY KEY ("partner_id","uuid")
);

-- CreateTable
CREATE TABLE "audience_counts" (
    "id" BIGSERIAL NOT NULL,
    "partner_id" INTEGER NOT NULL,
    "group_id" INTEGER NOT NULL,
    "users" INTEGER NOT NULL,
    "people" INTEGER NOT NULL,
    "devices" INTEGER NOT NULL,

    CONSTRAINT "audience_counts_pkey" PRIMARY KEY ("id")
);

-- CreateIndex
CREATE INDEX "groups_partner_id_idx" ON "groups"("partner_id");

-- CreateIndex
CREATE INDEX "people_partner_id_user_id_idx" ON "people"("partner_id", "user_id");

-- CreateIndex
CREATE INDEX "memberships_partner_id_user_id_idx" ON "memberships"("partner_id", "user_id");

-- CreateIndex
CREATE INDEX "devices_partner_id_user_id_uuid_idx" ON "devices"("partner_id", "user_id", "uuid");

-- CreateIndex
CREATE UNIQUE INDEX "devices_token_hash_key" ON "devices"("token_hash");

-- CreateIndex
CREATE INDEX "audience_counts_partner_id_group_id_idx" ON "audience_counts"("partner_id", "group_id");

-- Whom pushes reach, in the order in which an audience is read.
CREATE INDEX "people_reached_idx" ON "people"("partner_id", "user_id") WHERE "is_user" AND "devices" > 0;

-- How many users a group has, how many of them have a device that pushes reach, and how many devices these are: each change adds a
-- row with the difference, so that the sums are right at any moment and no two changes wait for each other. Group 0 is everyone.
-- Whoever changes devices, memberships or a person holds the row of the person first: what counts together is changed one after
-- the other.

-- The devices of people, from which all else follows.
CREATE FUNCTION count_devices() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        UPDATE people SET devices = people.devices + more.devices
        FROM (SELECT user_id, count(*)::integer AS devices FROM after GROUP BY 1) AS more
        WHERE people.user_id = more.user_id;
    ELSIF TG_OP = 'DELETE' THEN
        UPDATE people SET devices = people.devices - less.devices
        FROM (SELECT user_id, count(*)::integer AS devices FROM before GROUP BY 1) AS less
        WHERE people.user_id = less.user_id;
    ELSE
        UPDATE people SET devices = people.devices + more.devices
        FROM (
            SELECT user_id, sum(devices)::integer AS devices FROM (
                SELECT user_id, 1 AS devices FROM after UNION ALL SELECT user_id, -1 FROM before) AS changes
            GROUP BY 1 HAVING sum(devices) <> 0) AS more
        WHERE people.user_id = more.user_id;
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER "counted_in" AFTER INSERT ON "devices"
  REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION count_devices();
CREATE TRIGGER "counted_out" AFTER DELETE ON "devices"
  REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION count_devices();
CREATE TRIGGER "counted_anew" AFTER UPDATE ON "devices"
  REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION count_devices();

-- People, in each of their groups and among everyone. Someone who is no user counts nowhere.
CREATE FUNCTION count_people() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO audience_counts (partner_id, group_id, users, people, devices)
        SELECT partner_id, 0, count(*), count(*) FILTER (WHERE devices > 0), sum(devices)
        FROM after WHERE is_user GROUP BY 1;
    ELSIF TG_OP = 'DELETE' THEN
        INSERT INTO audience_counts (partner_id, group_id, users, people, devices)
        SELECT partner_id, 0, -count(*), -count(*) FILTER (WHERE devices > 0), -sum(devices)
        FROM before WHERE is_user GROUP BY 1;
    ELSE
        INSERT INTO audience_counts (partner_id, group_id, users, people, devices)
        SELECT changed.partner_id, groups.group_id, sum(users), sum(people), sum(devices)
        FROM (
            SELECT a.partner_id, a.user_id, a.is_user::integer - b.is_user::integer AS users,
                (a.is_user AND a.devices > 0)::integer - (b.is_user AND b.devices > 0)::integer AS people,
                CASE WHEN a.is_user THEN a.devices ELSE 0 END - CASE WHEN b.is_user THEN b.devices ELSE 0 END AS devices
            FROM before b JOIN after a ON a.user_id = b.user_id
            WHERE (a.is_user, a.devices) <> (b.is_user, b.devices)) AS changed
        CROSS JOIN LATERAL (
            SELECT 0 AS group_id UNION ALL
            SELECT m.group_id FROM memberships m
            WHERE m.partner_id = changed.partner_id AND m.user_id = changed.user_id) AS groups
        GROUP BY 1, 2
        HAVING (sum(users), sum(people), sum(devices)) <> (0, 0, 0);
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER "counted_in" AFTER INSERT ON "people"
  REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION count_people();
CREATE TRIGGER "counted_out" AFTER DELETE ON "people"
  REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION count_people();
CREATE TRIGGER "counted_anew" AFTER UPDATE ON "people"
  REFERENCING OLD TABLE AS before NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION count_people();

-- Memberships: a person comes after nothing but their own row, and goes before it.
CREATE FUNCTION count_memberships() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'INSERT' THEN
        INSERT INTO audience_counts (partner_id, group_id, users, people, devices)
        SELECT m.partner_id, m.group_id, count(*), count(*) FILTER (WHERE p.devices > 0), sum(p.devices)
        FROM after m JOIN people p ON p.user_id = m.user_id WHERE p.is_user GROUP BY 1, 2;
    ELSE
        INSERT INTO audience_counts (partner_id, group_id, users, people, devices)
        SELECT m.partner_id, m.group_id, -count(*), -count(*) FILTER (WHERE p.devices > 0), -sum(p.devices)
        FROM before m JOIN people p ON p.user_id = m.user_id WHERE p.is_user GROUP BY 1, 2;
    END IF;
    RETURN NULL;
END
$$;
CREATE TRIGGER "counted_in" AFTER INSERT ON "memberships"
  REFERENCING NEW TABLE AS after FOR EACH STATEMENT EXECUTE FUNCTION count_memberships();
CREATE TRIGGER "counted_out" AFTER DELETE ON "memberships"
  REFERENCING OLD TABLE AS before FOR EACH STATEMENT EXECUTE FUNCTION count_memberships();
