-- Whoever has signed a company up activates it by their link also after their address was corrected. Links of before name the first address.
-- AlterTable
ALTER TABLE "password_links" ADD COLUMN     "signs_up" BOOLEAN NOT NULL DEFAULT false;
