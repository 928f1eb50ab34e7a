-- AlterTable
ALTER TABLE "versions" ADD COLUMN     "import_id" INTEGER,
ALTER COLUMN "file_id" DROP NOT NULL;
