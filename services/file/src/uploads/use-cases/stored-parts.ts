import { type MultipartUpload, StorageError, type StoredPart } from '@portal/storage';
import type { Dependencies } from '../../dependencies.ts';

/** None of an upload that ends at this moment. */
export async function storedParts(
  { storage }: Pick<Dependencies, 'storage'>,
  upload: MultipartUpload,
): Promise<StoredPart[]> {
  try {
    return await storage.listParts(upload);
  } catch (error) {
    if (error instanceof StorageError && error.reason === 'unknown-upload') return [];
    throw error;
  }
}
