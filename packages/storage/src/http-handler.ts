import type { IncomingMessage, ServerResponse } from 'node:http';
import { type ErrorCode, errorCatalogue, type Language, limits } from '@portal/contracts';
import { AppError, type Logger, newId } from '@portal/kernel';
import { contentDisposition } from './content-disposition.ts';
import { isNotModified, requestedRange } from './http-range.ts';
import { partBounds } from './multipart.ts';
import type { ObjectInfo, ObjectStorage } from './object-storage.ts';
import { createOpenTransfers, type Moved } from './open-transfers.ts';
import { StorageError, type StorageErrorReason } from './storage-error.ts';
import type { StorageGrant, UrlSigner } from './url-signer.ts';

export type StorageHandler = (req: IncomingMessage, res: ServerResponse, requestId?: string) => Promise<void>;

export interface Transfer extends Moved {
  readonly direction: 'upload' | 'download';
  /** What was stored, or sent of a body. */
  readonly bytes: number;
  /** Whether the last byte of the object was sent: of the whole, or of a range up to the end. */
  readonly reachedEnd: boolean;
}

type GetGrant = Extract<StorageGrant, { action: 'get' }>;
export type WriteGrant = Exclude<StorageGrant, GetGrant>;

/** How long a refused body is read and thrown away, so that its sender gets to read the answer. */
const lingerMs = 2_000;
/** A connection whose peer moves no byte for a minute ends, so a body that lasts is one that arrives. */
const arrivalEveryMs = 30_000;

const failures: Record<StorageErrorReason, { status: number; code: ErrorCode }> = {
  'invalid-key': { status: 404, code: 'E40405' },
  'bad-range': { status: 416, code: 'E40001' },
  'too-large': { status: 413, code: 'E40001' },
  'unknown-upload': { status: 404, code: 'E40405' },
  'invalid-part': { status: 400, code: 'E40001' },
  'missing-part': { status: 400, code: 'E40001' },
  'wrong-etag': { status: 400, code: 'E40001' },
  'wrong-size': { status: 400, code: 'E40001' },
  unavailable: { status: 503, code: 'E50301' },
};

/**
 * Serves the URLs of `signer` from any store: GET and HEAD with ranges and conditions, PUT of objects and parts.
 * Bytes go straight through and never wait whole in memory. It answers every request itself and never rejects.
 * The server that it is mounted on must not limit the time of a request, for an upload takes as long as it takes, and is
 * the one to end a connection whose peer moves no byte.
 */
export function createStorageHandler(options: {
  storage: ObjectStorage;
  signer: UrlSigner;
  logger: Logger;
  /** Throws an `AppError` when what the address was given for has ended. Asked before anything is read. */
  admit: (grant: StorageGrant) => Promise<void>;
  /**
   * Told of bytes that are sent: every `arrivalEveryMs` while they arrive, and once they are stored, before the sender knows.
   * What it fails at does not end the transfer.
   */
  onArrival?: ((grant: WriteGrant, stored: boolean) => Promise<void>) | undefined;
  /** Told of every transfer that moved bytes. */
  onTransfer?: ((transfer: Transfer) => void) | undefined;
}): StorageHandler {
  const { admit, logger, onArrival, onTransfer, signer, storage } = options;
  const takeTurn = newestWriterWins();
  const openTransfer = createOpenTransfers();

  /** Moves bytes, unless too many are moved already. */
  async function transfer(moved: Moved, fail: Fail, move: () => Promise<void>): Promise<void> {
    const end = openTransfer(moved);
    if (!end) return fail(429, 'E40001');
    try {
      await move();
    } finally {
      end();
    }
  }

  async function read(grant: GetGrant, req: IncomingMessage, res: ServerResponse, fail: Fail): Promise<void> {
    const info = await storage.head(grant.key);
    if (!info) return fail(404, 'E40405');
    res.setHeaders(new Headers(objectHeaders(grant, info)));
    if (isNotModified(req.headers, info)) {
      res.writeHead(304).end();
      return;
    }
    const range = req.method === 'GET' ? requestedRange(req.headers, info) : undefined;
    if (range === 'unsatisfiable') {
      res.setHeader('Content-Range', `bytes */${info.size}`);
      return fail(416, 'E40001');
    }
    const length = range ? range.end - range.start + 1 : info.size;
    if (range) res.setHeader('Content-Range', `bytes ${range.start}-${range.end}/${info.size}`);
    res.setHeader('Content-Length', length);
    res.statusCode = range ? 206 : 200;
    if (req.method === 'HEAD') {
      res.end();
      return;
    }
    let isOutdated = false;
    await transfer(grant, fail, async () => {
      const content = await storage.get(grant.key, range ? { range } : {});
      if (content === undefined || content === 'not-modified') return fail(404, 'E40405');
      if (content.etag !== info.etag) {
        // Replaced between the two looks at it: the headers are of the old object.
        content.body.destroy();
        isOutdated = true;
        return;
      }
      const endsObject = (range?.end ?? info.size - 1) === info.size - 1;
      if (onTransfer)
        countSent(res, length, (bytes, isWhole) =>
          onTransfer({
            key: grant.key,
            use: grant.use,
            direction: 'download',
            bytes,
            reachedEnd: isWhole && endsObject,
          }),
        );
      await content.sendTo(res);
    });
    if (isOutdated) await read(grant, req, res, fail);
  }

  async function write(
    grant: WriteGrant,
    req: IncomingMessage,
    res: ServerResponse,
    fail: Fail,
  ): Promise<void> {
    const limit = grant.action === 'put' ? grant.maxSize : partBounds(grant.upload, grant.partNumber).size;
    const length = req.headers['content-length'];
    const declared = length === undefined ? {} : { size: Number(length) };
    if (Number(length ?? 0) > limit) return fail(413, 'E40001');
    const key = grant.action === 'put' ? grant.key : grant.upload.key;
    const target = grant.action === 'put' ? key : `${key} ${grant.upload.uploadId} ${grant.partNumber}`;
    await transfer({ key, use: grant.use }, fail, async () => {
      const arriving = setInterval(() => void tellArrival(grant, false), arrivalEveryMs);
      const { etag, size } = await takeTurn(target, req, async () =>
        grant.action === 'put'
          ? storage.put(key, req, { maxSize: limit, hash: true, ...declared })
          : storage.putPart(grant.upload, grant.partNumber, req),
      ).finally(() => clearInterval(arriving));
      await tellArrival(grant, true);
      onTransfer?.({ key, use: grant.use, direction: 'upload', bytes: size, reachedEnd: false });
      res.setHeader('ETag', etag);
      res.writeHead(200, { 'Content-Length': 0 }).end();
    });
  }

  async function tellArrival(grant: WriteGrant, stored: boolean): Promise<void> {
    try {
      await onArrival?.(grant, stored);
    } catch (error) {
      logger.warn(
        { err: error, key: grant.action === 'put' ? grant.key : grant.upload.key },
        'arrival not told',
      );
    }
  }

  return async (req, res, requestId = newId()) => {
    const fail: Fail = (status, code) => answerError(req, res, { status, code, requestId });
    try {
      const grant = signer.verify(req.method ?? '', req.url ?? '');
      if (!grant) return await fail(403, 'E40301');
      await admit(grant);
      await (grant.action === 'get' ? read(grant, req, res, fail) : write(grant, req, res, fail));
    } catch (error) {
      if (req.socket.destroyed || res.headersSent) {
        logger.debug({ requestId, err: error }, 'storage transfer ended early');
        res.destroy();
        return;
      }
      const { status, code } = failureOf(error);
      if (status >= 500) logger.error({ requestId, err: error }, 'storage request failed');
      await fail(status, code);
    }
  };
}

function failureOf(error: unknown): { status: number; code: ErrorCode } {
  if (error instanceof StorageError) return failures[error.reason];
  if (error instanceof AppError) return error;
  return { status: 500, code: 'E50001' };
}

/**
 * One writer at a time for a target: an older one is a connection that its client has given up, and is cut. So however
 * often the same bytes are sent at once, they take the room of one.
 */
function newestWriterWins() {
  const writers = new Map<string, { readonly req: IncomingMessage; readonly ended: Promise<void> }>();
  return async <T>(target: string, req: IncomingMessage, write: () => Promise<T>): Promise<T> => {
    const before = writers.get(target);
    const { promise: ended, resolve: end } = Promise.withResolvers<void>();
    const writer = { req, ended };
    writers.set(target, writer);
    try {
      before?.req.destroy();
      await before?.ended;
      if (req.destroyed) throw new Error('A newer writer has come.');
      return await write();
    } finally {
      if (writers.get(target) === writer) writers.delete(target);
      end();
    }
  };
}

/** Of a transfer that is broken off, what its connection had taken by then. */
function countSent(
  res: ServerResponse,
  length: number,
  onSent: (bytes: number, isWhole: boolean) => void,
): void {
  const { socket } = res;
  const before = socket?.bytesWritten ?? 0;
  res.once('close', () => {
    const written = (socket?.bytesWritten ?? 0) - before;
    onSent(Math.min(length, written), res.writableFinished);
  });
}

type Fail = (status: number, code: ErrorCode) => Promise<void>;

function objectHeaders(grant: GetGrant, info: ObjectInfo): Record<string, string> {
  return {
    'Accept-Ranges': 'bytes',
    'Cache-Control': 'private',
    'Content-Type': grant.contentType ?? 'application/octet-stream',
    ETag: info.etag,
    'Last-Modified': info.lastModified.toUTCString(),
    'X-Content-Type-Options': 'nosniff',
    // What tenants upload is on the origin of the portal: it must not run there.
    'Content-Security-Policy': "default-src 'none'; sandbox",
    ...(grant.fileName === undefined ? {} : { 'Content-Disposition': contentDisposition(grant.fileName) }),
  };
}

async function answerError(
  req: IncomingMessage,
  res: ServerResponse,
  error: { status: number; code: ErrorCode; requestId: string },
): Promise<void> {
  const message = errorCatalogue[error.code][languageOf(req)];
  const body = JSON.stringify({ code: error.code, message, errors: [], request_id: error.requestId });
  for (const name of ['Content-Disposition', 'ETag', 'Last-Modified', 'Accept-Ranges'])
    res.removeHeader(name);
  if (error.status !== 416) res.removeHeader('Content-Range');
  const unreadBody = !req.complete && req.method !== 'GET' && req.method !== 'HEAD';
  res.writeHead(error.status, {
    'Cache-Control': 'no-store',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'X-Content-Type-Options': 'nosniff',
    ...(unreadBody ? { Connection: 'close' } : {}),
    ...([429, 503].includes(error.status) ? { 'Retry-After': limits.retryAfterSeconds } : {}),
  });
  res.write(body);
  if (unreadBody) await linger(req);
  res.end();
}

/** Closing on a sender that is still sending resets the connection, and the answer is lost with it. */
function linger(req: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, lingerMs);
    req.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
    req.resume();
  });
}

/** The first of the product's languages that `Accept-Language` names; Japanese without one. */
function languageOf(req: IncomingMessage): Language {
  const named = /\b(ja|en)\b/i.exec(req.headers['accept-language'] ?? '');
  return named?.[1]?.toLowerCase() === 'en' ? 'en' : 'ja';
}
