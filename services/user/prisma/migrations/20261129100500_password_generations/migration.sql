-- Links to choose a password from before the last change of it are refused, however late they came. Those of before this last a day.
-- AlterTable
ALTER TABLE "accounts" ADD COLUMN     "password_generation" INTEGER NOT NULL DEFAULT 0;
