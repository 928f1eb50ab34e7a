import { services } from '@portal/contracts';
import type { Readiness } from '@portal/service-kit';
import { demoApiKey, publicFront, publicSettings, signUpKeyIn } from '@portal/service-kit/host';
import { openStorage, runProcess, storageProblems, storageSettings } from '@portal/service-kit/process';
import { createHttpUpstream } from './http-upstream.ts';
import { startGateway } from './service.ts';

await runProcess(
  {
    name: 'gateway',
    settings: { ...publicSettings, PUBLIC_URL: storageSettings.PUBLIC_URL },
    front: publicFront,
  },
  async ({
    bus,
    clock,
    env,
    internalKeys,
    logger,
    originOf,
    settings,
    step,
    stopping,
    telemetry,
    transport,
  }) => {
    const objects = await step('storage', () => openStorage(env, { clock, logger, stopping }));
    const upstream = createHttpUpstream({ originOf, logger });
    const gateway = await startGateway(
      {
        bus,
        clock,
        internalKeys,
        logger,
        transport,
        ...(telemetry && { telemetry }),
        upstream,
        storage: objects.storage,
        signer: objects.signer,
        storageUrl: objects.publicUrl,
        readiness: readinessOf(originOf),
      },
      {
        apiKeys: { apiKey: settings.API_KEY ?? demoApiKey, signUpKey: signUpKeyIn(env) },
        publicUrl: settings.PUBLIC_URL,
        rateLimited: settings.RATE_LIMIT === 'on',
        trustedProxies: settings.TRUSTED_PROXIES,
      },
    );
    return {
      app: gateway.app,
      async stop() {
        await gateway.stop();
        await upstream.close();
        objects.close();
      },
    };
  },
  (env) => storageProblems(env, { signsAddresses: true }),
);

/** Every service, by its own word. */
function readinessOf(originOf: (service: string) => string): Readiness {
  return Object.fromEntries(
    services.gateway.asks.map((name) => [
      name,
      async () => {
        const { ok } = await fetch(`${originOf(name)}/readyz`, { signal: AbortSignal.timeout(1_500) });
        if (!ok) throw new Error('Not ready');
      },
    ]),
  );
}
