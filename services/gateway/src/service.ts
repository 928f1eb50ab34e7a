import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { identityRoutes } from '@portal/contracts';
import { allRoutes } from '@portal/contracts/catalogue';
import {
  checkAddress,
  noteArrival,
  noteSent,
  recordSessionUses,
  recordUsage,
} from '@portal/contracts/internal';
import {
  type ApiKeys,
  createInternalTokens,
  createPeers,
  followRevocations,
  type Infrastructure,
  revocationsOf,
  transferCounter,
} from '@portal/service-kit';
import {
  createStorageHandler,
  type ObjectStorage,
  operator,
  payerOf,
  type Transfer,
  type UrlSigner,
} from '@portal/storage';
import type { FastifyInstance } from 'fastify';
import { createAddressCheck } from './admit-address.ts';
import { buildGateway, type GatewayOptions } from './gateway.ts';
import { createOpenStreams } from './open-streams.ts';
import { createBudgets, defaultRateLimits } from './rate-limits.ts';
import { createSessionUses } from './session-uses.ts';
import { shareCounts } from './share-counts.ts';
import { createArrivalNotes } from './tell-arrival.ts';
import { createSentNotes } from './tell-sent.ts';
import { createUsageMeter } from './usage-meter.ts';

export type { Upstream } from './upstream.ts';

type GatewayInfrastructure = Pick<
  Infrastructure,
  'bus' | 'clock' | 'internalKeys' | 'logger' | 'telemetry' | 'transport'
> &
  Pick<GatewayOptions, 'readiness' | 'upstream'> & {
    readonly storage: ObjectStorage;
    readonly signer: UrlSigner;
    /** Where clients exchange the bytes of files with the store itself; empty: here. */
    readonly storageUrl?: string | undefined;
  };

const usageEveryMs = 10_000;
/** What people see of a download follows within a second. */
const sentEveryMs = 500;

/** The gateway of a host, ready to answer; the host listens. */
export async function startGateway(
  infrastructure: GatewayInfrastructure,
  settings: { apiKeys: ApiKeys; publicUrl: string; rateLimited: boolean; trustedProxies: readonly string[] },
): Promise<{ app: FastifyInstance; stop(): Promise<void> }> {
  const { bus, clock, internalKeys, readiness, signer, storage, transport, upstream } = infrastructure;
  const logger = infrastructure.logger.child({ service: 'gateway' });
  const telemetry = infrastructure.telemetry?.of('gateway');
  const peers = createPeers({ transport, tokenFor: createInternalTokens('gateway', internalKeys) });
  const revocations = await followRevocations({
    bus,
    clock,
    read: revocationsOf(peers),
  });
  const counts = settings.rateLimited
    ? { budgets: createBudgets(defaultRateLimits, clock), streams: createOpenStreams(clock) }
    : 'off';
  const sharing = counts === 'off' ? undefined : await shareCounts({ counts, bus, clock, logger });
  const usage = createUsageMeter({
    clock,
    logger,
    everyMs: usageEveryMs,
    seesBytes: infrastructure.storageUrl === undefined,
    send: async (body) => peers.call(recordUsage, { body }),
  });
  const uses = createSessionUses({
    clock,
    logger,
    everyMs: usageEveryMs,
    send: async (body) => peers.call(recordSessionUses, { body }),
  });
  const sent = createSentNotes({
    clock,
    logger,
    everyMs: sentEveryMs,
    send: async (some) => peers.call(noteSent, { body: { sent: [...some] } }),
  });
  const count = telemetry && transferCounter(telemetry);
  const onTransfer = (transfer: Transfer) => {
    count?.(transfer);
    sent.note(transfer);
    const partnerId = payerOf(transfer);
    // The operator's own uploads are nobody's.
    if (partnerId !== undefined && partnerId !== operator)
      usage.countTransfer(partnerId, transfer.direction, transfer.bytes);
  };
  const webDirectory = fileURLToPath(new URL('../../../web/dist', import.meta.url));
  const app = await buildGateway({
    routes: allRoutes,
    upstream,
    tokens: { keys: async () => peers.call(identityRoutes.jwks, {}), revocations, clock },
    apiKeys: settings.apiKeys,
    publicUrl: settings.publicUrl,
    storage: createStorageHandler({
      storage,
      signer,
      logger,
      admit: createAddressCheck({
        revocations,
        ask: async (body) => peers.call(checkAddress, { body }),
      }),
      onArrival: createArrivalNotes(async (body) => peers.call(noteArrival, { body })),
      onTransfer,
    }),
    storageUrl: infrastructure.storageUrl,
    webDirectory: existsSync(join(webDirectory, 'index.html')) ? webDirectory : undefined,
    readiness,
    trustedProxies: settings.trustedProxies,
    counts,
    clock,
    logger,
    telemetry,
    onCall(caller) {
      uses.note(caller.sessionId);
      if (caller.kind === 'tenant') usage.countCall(caller.partnerId);
    },
  });
  await app.ready();
  return {
    app,
    async stop() {
      await app.close();
      await usage.stop();
      await uses.stop();
      await sent.stop();
      await sharing?.close();
      await revocations.close();
    },
  };
}
