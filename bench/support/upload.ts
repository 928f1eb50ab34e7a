import { type FileHandle, open } from 'node:fs/promises';
import { Agent, request } from 'node:http';
import type { ApiClient } from '@portal/api-client';
import { fileRoutes } from '@portal/contracts';

const atOnce = 4;
/** Parts whose addresses are asked for in one call; the contract's most. */
const signedAtOnce = 1000;

export interface Uploaded {
  readonly id: number;
  /** Milliseconds from the registration until every part was acknowledged. */
  readonly storedMs: number;
  /** Milliseconds from the registration until the answer that the file is complete. */
  readonly completedMs: number;
}

/** Sends a file as the web client does: in parts, four at a time. */
export async function uploadFile(
  api: ApiClient,
  file: { partnerId: number; name: string; path: string; size: number },
): Promise<Uploaded> {
  const begun = performance.now();
  const upload = await api.call(fileRoutes.createFile, {
    params: { pid: file.partnerId },
    body: { name: file.name, fileName: file.name, fileSize: file.size },
  });
  const { partSize, uploadId } = upload;
  const partNumbers = Array.from({ length: Math.ceil(file.size / partSize) }, (_, index) => index + 1);
  const waiting: { partNumber: number; signedUrl: string }[] = [];
  for (let from = 0; from < partNumbers.length; from += signedAtOnce) {
    const body = { partNumbers: partNumbers.slice(from, from + signedAtOnce) };
    waiting.push(...(await api.call(fileRoutes.signParts, { params: { uploadId }, body })).parts);
  }

  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const source = await open(file.path, 'r');
  const parts: { partNumber: number; etag: string }[] = [];
  async function sendParts(): Promise<void> {
    const buffer = Buffer.allocUnsafeSlow(partSize);
    for (let part = waiting.shift(); part; part = waiting.shift()) {
      const bytes = await readPart(source, buffer, (part.partNumber - 1) * partSize);
      parts.push({ partNumber: part.partNumber, etag: await put(part.signedUrl, bytes, agent) });
    }
  }
  try {
    await Promise.all(Array.from({ length: atOnce }, sendParts));
  } finally {
    await source.close();
    agent.destroy();
  }
  const storedMs = performance.now() - begun;
  parts.sort((a, b) => a.partNumber - b.partNumber);
  await api.call(fileRoutes.completeUpload, { params: { uploadId }, body: { parts } });
  return { id: upload.id, storedMs, completedMs: performance.now() - begun };
}

async function readPart(source: FileHandle, buffer: Buffer, position: number): Promise<Buffer> {
  let length = 0;
  for (;;) {
    const { bytesRead } = await source.read(buffer, length, buffer.length - length, position + length);
    length += bytesRead;
    if (bytesRead === 0 || length === buffer.length) return buffer.subarray(0, length);
  }
}

/** @returns the ETag of the part */
function put(url: string, bytes: Buffer, agent: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(
      url,
      { method: 'PUT', agent, headers: { 'content-length': bytes.length } },
      (answer) => {
        answer.resume();
        answer.once('error', reject);
        answer.once('end', () => {
          const { etag } = answer.headers;
          if (answer.statusCode === 200 && etag) resolve(etag);
          else reject(new Error(`A part was refused: ${answer.statusCode}`));
        });
      },
    );
    sent.once('error', reject);
    sent.end(bytes);
  });
}
