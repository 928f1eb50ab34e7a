import type { Readable } from 'node:stream';
import {
  AbortMultipartUploadCommand,
  type CompletedPart,
  CompleteMultipartUploadCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { StorageError } from '../storage-error.ts';
import { answerOf, lengthy, quick } from './s3-connection.ts';
import { piecesOf, sendSized, withChecksum } from './sized-body.ts';

/** Of known size and up to this, an object is gathered in memory, so that it can be sent again when the store fails. */
const smallBytes = 1024 * 1024;
/** Of unknown size, an object goes in parts of the least size that S3 allows, at most three of them in memory. */
const pieceBytes = 5 * 1024 * 1024;
const largestPut = 5 * 1024 ** 3;

interface PutObject {
  /** Bytes. */
  readonly size: number;
  readonly etag: string | undefined;
}

/** Stores a body under a key, in whichever way its size allows. `streams` sends those that memory does not hold. */
export function createS3Put({
  bucket,
  client,
  streams,
}: {
  client: S3Client;
  streams: S3Client;
  bucket: string;
}) {
  async function putBytes(key: string, bytes: Buffer): Promise<PutObject> {
    const command = new PutObjectCommand({ Bucket: bucket, Key: key, Body: bytes });
    return { size: bytes.length, etag: (await answerOf(client.send(command))).ETag };
  }

  async function putStream(key: string, body: Readable, size: number): Promise<PutObject> {
    return sendSized(body, size, async (stream, abortSignal) => {
      const command = new PutObjectCommand({
        Bucket: bucket,
        Key: key,
        Body: stream,
        ContentLength: size,
        ...withChecksum,
      });
      return { size, etag: (await answerOf(streams.send(command, { abortSignal }))).ETag };
    });
  }

  async function putPieces(key: string, pieces: AsyncIterable<Buffer>): Promise<PutObject> {
    const object = { Bucket: bucket, Key: key };
    const { UploadId } = await answerOf(client.send(new CreateMultipartUploadCommand(object), quick));
    const upload = { ...object, UploadId };
    try {
      const Parts: CompletedPart[] = [];
      let size = 0;
      for await (const bytes of pieces) {
        const PartNumber = Parts.length + 1;
        const command = new UploadPartCommand({ ...upload, PartNumber, Body: bytes });
        Parts.push({ PartNumber, ETag: (await answerOf(client.send(command))).ETag });
        size += bytes.length;
      }
      const command = new CompleteMultipartUploadCommand({ ...upload, MultipartUpload: { Parts } });
      return { size, etag: (await answerOf(client.send(command, lengthy))).ETag };
    } catch (error) {
      // If this fails, the periodic clean-up aborts the upload.
      await client.send(new AbortMultipartUploadCommand(upload), quick).catch(() => undefined);
      throw error;
    }
  }

  return async (
    key: string,
    body: Readable,
    { maxSize, size }: { maxSize: number; size: number | undefined },
  ): Promise<PutObject> => {
    if (size !== undefined && size > maxSize)
      throw new StorageError('too-large', `more than ${maxSize} bytes`);
    if (size !== undefined && size > smallBytes && size <= largestPut) return putStream(key, body, size);
    const pieces = piecesOf(body, { least: size ?? 0, most: size ?? maxSize, pieceSize: pieceBytes });
    const first = await pieces.next();
    const second = await pieces.next();
    if (first.done) throw new Error('A body has at least one piece.');
    return second.done
      ? putBytes(key, first.value)
      : putPieces(key, chained([first.value, second.value], pieces));
  };
}

async function* chained(begun: readonly Buffer[], rest: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* begun;
  yield* rest;
}
