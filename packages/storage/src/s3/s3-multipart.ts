import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  ListMultipartUploadsCommand,
  type ListMultipartUploadsCommandOutput,
  ListPartsCommand,
  type ListPartsCommandOutput,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { assertAllParts, assertMultipartSizes, partBounds, partCount } from '../multipart.ts';
import { assertObjectKey } from '../object-key.ts';
import type { MultipartUpload, ObjectInfo, ObjectStorage, StoredPart } from '../object-storage.ts';
import { StorageError } from '../storage-error.ts';
import { answerOf, lengthy, quick, refusalOf } from './s3-connection.ts';
import { sendSized, withChecksum } from './sized-body.ts';

type Multipart = Pick<
  ObjectStorage,
  'createMultipart' | 'putPart' | 'listParts' | 'completeMultipart' | 'abortMultipart'
> & { abortBegunBefore(time: Date, except?: ReadonlySet<string>): Promise<number> };

interface ListedPart {
  readonly part: StoredPart;
  /** As the store tells it of parts that came with a checksum, to be named when the upload is completed. */
  readonly crc32: string | undefined;
}

/**
 * Uploads in parts as S3 has them. `streams` sends the parts. `clientsPutParts`: clients send parts straight to the store, which cannot be asked for
 * checksums then, since all parts of an upload have them or none has.
 */
export function createS3Multipart(options: {
  client: S3Client;
  streams: S3Client;
  bucket: string;
  clientsPutParts: boolean;
  head: (key: string) => Promise<ObjectInfo | undefined>;
}): Multipart {
  const { bucket, client, clientsPutParts, streams } = options;
  const checked = clientsPutParts ? {} : withChecksum;
  const addressOf = ({ key, uploadId }: Pick<MultipartUpload, 'key' | 'uploadId'>) => ({
    Bucket: bucket,
    Key: key,
    UploadId: uploadId,
  });

  async function ofKnown<T>(request: Promise<T>): Promise<T> {
    try {
      return await answerOf(request);
    } catch (error) {
      const refusal = refusalOf(error);
      if (refusal === 'NoSuchUpload') throw new StorageError('unknown-upload', 'the store has none');
      // Replaced since the parts were listed.
      if (refusal === 'InvalidPart') throw new StorageError('wrong-etag', 'the store has another part');
      throw error;
    }
  }

  async function readParts(upload: MultipartUpload): Promise<ListedPart[]> {
    const parts: ListedPart[] = [];
    let marker: string | undefined;
    do {
      const command = new ListPartsCommand({ ...addressOf(upload), PartNumberMarker: marker });
      const page: ListPartsCommandOutput = await client.send(command, quick);
      for (const { ChecksumCRC32: crc32, ETag: etag, PartNumber: partNumber, Size: size } of page.Parts ??
        []) {
        // What a signed URL brought may be of any size; only a whole part counts.
        if (
          etag !== undefined &&
          partNumber !== undefined &&
          size !== undefined &&
          size === sizeOf(upload, partNumber)
        )
          parts.push({ part: { partNumber, size, etag }, crc32 });
      }
      // Stores tell a marker on the last page as well.
      marker = page.IsTruncated ? page.NextPartNumberMarker : undefined;
    } while (marker !== undefined);
    return parts.sort((a, b) => a.part.partNumber - b.part.partNumber);
  }

  /** Aborting may have to be told again of parts that were on their way; what is left then, the next sweep finds. */
  async function abort(address: ReturnType<typeof addressOf>): Promise<void> {
    try {
      await ofKnown(client.send(new AbortMultipartUploadCommand(address), quick));
    } catch (error) {
      if (!(error instanceof StorageError && error.reason === 'unknown-upload')) throw error;
    }
  }

  return {
    async createMultipart(key, sizes) {
      assertObjectKey(key);
      assertMultipartSizes(sizes);
      const command = new CreateMultipartUploadCommand({ Bucket: bucket, Key: key, ...checked });
      const { UploadId: uploadId } = await answerOf(client.send(command, quick));
      if (uploadId === undefined) throw new Error('The store gave no id for an upload.');
      return { key, uploadId, ...sizes };
    },

    async putPart(upload, partNumber, body) {
      const { size } = partBounds(upload, partNumber);
      const { ETag: etag } = await sendSized(body, size, async (stream, abortSignal) => {
        const command = new UploadPartCommand({
          ...addressOf(upload),
          PartNumber: partNumber,
          Body: stream,
          ContentLength: size,
          ...checked,
        });
        return ofKnown(streams.send(command, { abortSignal }));
      });
      if (etag === undefined) throw new Error('The store gave no ETag for a part.');
      return { partNumber, size, etag };
    },

    listParts: async (upload) => (await ofKnown(readParts(upload))).map(({ part }) => part),

    async completeMultipart(upload, named) {
      const stored = await ofKnown(readParts(upload));
      assertAllParts(
        upload,
        named,
        stored.map(({ part }) => part),
      );
      const command = new CompleteMultipartUploadCommand({
        ...addressOf(upload),
        MultipartUpload: {
          Parts: stored.map(({ crc32, part }) => ({
            ETag: part.etag,
            PartNumber: part.partNumber,
            ChecksumCRC32: crc32,
          })),
        },
      });
      await ofKnown(client.send(command, lengthy));
      const info = await options.head(upload.key);
      if (!info) throw new Error('The store does not have what it completed.');
      return info;
    },

    async abortMultipart(upload) {
      await abort(addressOf(upload));
    },

    async abortBegunBefore(time, except) {
      const begun: { key: string; uploadId: string }[] = [];
      let from: { KeyMarker?: string; UploadIdMarker?: string } | undefined = {};
      while (from) {
        const page: ListMultipartUploadsCommandOutput = await answerOf(
          client.send(new ListMultipartUploadsCommand({ Bucket: bucket, ...from }), quick),
        );
        for (const { Initiated: at, Key: key, UploadId: uploadId } of page.Uploads ?? []) {
          if (!at || at >= time || key === undefined || uploadId === undefined) continue;
          if (!except?.has(uploadId)) begun.push({ key, uploadId });
        }
        const { NextKeyMarker: key, NextUploadIdMarker: uploadId } = page;
        from =
          page.IsTruncated && key !== undefined
            ? { KeyMarker: key, ...(uploadId === undefined ? {} : { UploadIdMarker: uploadId }) }
            : undefined;
      }
      for (const upload of begun) await abort(addressOf(upload));
      return begun.length;
    },
  };
}

function sizeOf(upload: MultipartUpload, partNumber: number): number | undefined {
  return partNumber <= partCount(upload) ? partBounds(upload, partNumber).size : undefined;
}
