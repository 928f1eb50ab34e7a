import { parentPort, workerData } from 'node:worker_threads';
import { z } from 'zod';
import { openP12 } from './open-p12.ts';

/** The thread that reads one PKCS#12 file, and says what is in it. */
const { bytes, password } = z
  .object({ bytes: z.instanceof(Uint8Array), password: z.string() })
  .parse(workerData);
parentPort?.postMessage(openP12(bytes, password));
