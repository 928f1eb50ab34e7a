import { deliveryRoutes, fileRoutes, formatDateTime, limits } from '@portal/contracts';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { admin, type FileHarness, someBytes, startFileHarness } from './file-harness.ts';

/**
 * Versions against a plain model, over random sequences of uploads, restorations, reservations, settings, and time: numbers without a
 * gap, one current version, and bytes that are there for exactly as long as somebody may put them back.
 */
let harness: FileHarness;
const pid = 1;
const minute = 60_000;

beforeAll(async () => {
  harness = await startFileHarness();
  await harness.partner(1);
});
afterAll(async () => harness.stop());

interface ModelVersion {
  readonly text: string;
  readonly restoredFrom: number | null;
  /** When it fell out of those that are kept. */
  outAt: number | undefined;
}

/** What is to be true: the versions that were live, in their order, and the one that is reserved. */
class Model {
  live: ModelVersion[] = [];
  reserved: { version: ModelVersion; at: number } | undefined;
  kept: number = limits.versionsKept;

  /** What time does by itself. */
  pass(now: number): void {
    if (this.reserved && this.reserved.at <= now) {
      const { at, version } = this.reserved;
      this.reserved = undefined;
      this.push(version, at);
    }
  }

  push(version: ModelVersion, at: number): void {
    this.live.push(version);
    this.sort(at);
  }

  sort(at: number): void {
    this.live.forEach((version, index) => {
      const isKept = index >= this.live.length - this.kept;
      if (isKept && version.outAt !== undefined && at < version.outAt + limits.formerBytesRetention) {
        version.outAt = undefined;
      }
      if (!isKept) version.outAt ??= at;
    });
  }

  hasBytes({ outAt }: ModelVersion, now: number): boolean {
    return outAt === undefined || now < outAt + limits.formerBytesRetention;
  }

  rows(now: number) {
    const rows = this.live.map((version, index) => ({
      version: index + 1,
      state: index === this.live.length - 1 ? 'current' : this.hasBytes(version, now) ? 'former' : 'removed',
      restoredFrom: version.restoredFrom,
      text: this.hasBytes(version, now) ? version.text : null,
    }));
    const { reserved } = this;
    const ahead = reserved && {
      version: this.live.length + 1,
      state: 'reserved',
      restoredFrom: reserved.version.restoredFrom,
      text: reserved.version.text,
    };
    return [...rows, ...(ahead ? [ahead] : [])].reverse();
  }
}

type Step =
  | { kind: 'upload' }
  | { kind: 'restore'; which: number; inMinutes: number | undefined }
  | { kind: 'cancel' }
  | { kind: 'keep'; kept: number }
  | { kind: 'wait'; minutes: number };

const steps = fc.array(
  fc.oneof(
    { weight: 3, arbitrary: fc.record({ kind: fc.constant('upload' as const) }) },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('restore' as const),
        which: fc.nat(8),
        inMinutes: fc.option(fc.integer({ min: 11, max: 3 * 24 * 60 }), { nil: undefined }),
      }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('cancel' as const) }) },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('keep' as const), kept: fc.integer({ min: 1, max: 4 }) }),
    },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constant('wait' as const),
        minutes: fc.integer({ min: 1, max: 9 * 24 * 60 }),
      }),
    },
  ),
  { minLength: 5, maxLength: 25 },
);

let fileNumber = 0;

async function play(sequence: readonly Step[]): Promise<void> {
  fileNumber += 1;
  const fileName = `model-${fileNumber}.uap`;
  const model = new Model();
  let texts = 0;
  const text = () => `text ${(texts += 1)}`;
  const now = () => harness.clock.now().getTime();
  await harness.call(
    deliveryRoutes.updateDeliverySettings,
    { params: { pid }, body: { versionsKept: limits.versionsKept } },
    admin,
  );
  const first = text();
  const id = await harness.upload({ fileName, bytes: someBytes(first) });
  model.push({ text: first, restoredFrom: null, outAt: undefined }, now());

  async function act(step: Step): Promise<void> {
    switch (step.kind) {
      case 'upload': {
        const bytes = someBytes(text());
        const opened = await harness.refused(
          fileRoutes.updateFile,
          { params: { pid, id }, body: { fileName, fileSize: bytes.length } },
          admin,
        );
        const upload = Object(opened.body);
        await harness.put(upload.signedUrl, bytes);
        const { uploadId } = upload;
        await harness.call(fileRoutes.completeUpload, { params: { uploadId }, body: {} }, admin);
        model.push({ text: `text ${texts}`, restoredFrom: null, outAt: undefined }, now());
        return;
      }
      case 'restore': {
        const version = step.which + 1;
        // Times on the wire are whole seconds.
        const at =
          step.inMinutes === undefined
            ? undefined
            : Math.ceil((now() + step.inMinutes * minute) / 1000) * 1000;
        const reply = await harness.refused(
          deliveryRoutes.restoreVersion,
          {
            params: { pid, id, version },
            body: at === undefined ? {} : { updateReservationAt: formatDateTime(new Date(at)) },
          },
          admin,
        );
        const original = model.live[version - 1];
        const isCurrent = version === model.live.length;
        if (!original && !(model.reserved && version === model.live.length + 1)) {
          expect(Object(reply.body).code).toBe('E40401');
        } else if (!original || isCurrent || !model.hasBytes(original, now())) {
          expect(Object(reply.body).code).toBe('E40034');
        } else {
          expect(reply.body).toEqual({ version: model.live.length + 1 });
          const made = { text: original.text, restoredFrom: version, outAt: undefined };
          if (at === undefined) model.push(made, now());
          else model.reserved = { version: made, at };
        }
        return;
      }
      case 'cancel':
        await harness.refused(fileRoutes.cancelUpdate, { params: { pid, id } }, admin);
        model.reserved = undefined;
        return;
      case 'keep':
        await harness.call(
          deliveryRoutes.updateDeliverySettings,
          { params: { pid }, body: { versionsKept: step.kept } },
          admin,
        );
        if (model.kept !== step.kept) {
          model.kept = step.kept;
          model.sort(now());
        }
        return;
      case 'wait':
        harness.clock.advance(step.minutes * minute);
    }
  }

  for (const step of sequence) {
    model.pass(now());
    await act(step);
    model.pass(now());
    const { body } = await harness.call(
      deliveryRoutes.listVersions,
      { params: { pid, id }, query: { perPage: 100 } },
      admin,
    );
    const rows = await Promise.all(
      body.versions.map(async ({ restoredFrom, signedUrl, state, version }) => ({
        version,
        state,
        restoredFrom,
        text: signedUrl === null ? null : await (await harness.get(signedUrl)).text(),
      })),
    );
    expect(rows).toEqual(model.rows(now()));
  }
  await harness.call(fileRoutes.deleteFile, { params: { pid, id } }, admin);
}

describe('Whatever happens to a file', () => {
  it('then its versions are those of the plain model', async () => {
    await fc.assert(fc.asyncProperty(steps, play), { numRuns: 25, endOnFailure: true });
  }, 240_000);
});
