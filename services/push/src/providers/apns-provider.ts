import { X509Certificate } from 'node:crypto';
import { connect, type TLSSocket } from 'node:tls';
import apn, { type Notification, type Provider, type ResponseFailure } from '@parse/node-apn';
import { apnsOutcome, reasons } from './domain/outcomes.ts';
import { apnsPayload, saysTheSame } from './domain/payload.ts';
import {
  defaultRequestMs,
  type ProviderSettings,
  type Push,
  type PushOutcome,
  type PushProvider,
} from './provider.ts';
import { createTimeLimits } from './time-limits.ts';

/** A certificate of Apple's for an app, with its key, both in PEM. */
export interface ApnsCertificate {
  readonly certificate: string;
  readonly privateKey: string;
  /** The app, which the certificate's UID names. */
  readonly topic: string;
}

const realHosts = {
  production: 'https://api.push.apple.com',
  development: 'https://api.sandbox.push.apple.com',
};
/** In DER, of the extension 1.2.840.113635.100.6.3.2, which certificates for the real service have. */
const productionExtension = Buffer.from('060a2a864886f76364060302', 'hex');

const checkEveryMs = 200;
/** What answers may come to: some for each push, and some for the connection. */
const bytesOfAnswer = 8_192;
const bytesOfConnection = 262_144;

/** One client of the library, and the sockets under it, which the library would keep for itself. */
interface Client {
  readonly provider: Provider;
  readonly sockets: Set<TLSSocket>;
  bytesExpected: number;
}

/** Sends by HTTP/2 to Apple's push notification service. */
export function apnsProvider(
  { certificate, privateKey, topic }: ApnsCertificate,
  settings: ProviderSettings,
): PushProvider {
  const { ca, clock, requestMs = defaultRequestMs } = settings;
  const read = readCertificate(certificate);
  const origin = new URL(
    settings.url ?? (read?.isProduction === false ? realHosts.development : realHosts.production),
  );
  const limits = createTimeLimits(requestMs);
  const retired = new Set<Client>();
  let current: Client | undefined;
  let isClosed = false;
  let written: { readonly push: Push; readonly notification: Notification } | undefined;

  /** What a push says, as the library writes it down: once for the many devices that get the same. */
  function notificationOf(push: Push): Notification {
    if (written && saysTheSame(written.push, push)) return written.notification;
    const notification = new apn.Notification({
      collapseId: push.collapseKey,
      topic,
      pushType: 'alert',
      rawPayload: apnsPayload(push),
    });
    written = { push, notification };
    return notification;
  }

  function open(): Client {
    const sockets = new Set<TLSSocket>();
    // The library takes its options on to `http2.connect`, which lets us make the connection: to the address that is configured,
    // and with bounds that the library has not.
    const options = {
      cert: certificate,
      key: privateKey,
      production: read?.isProduction ?? true,
      // Its own tries would be tries that nobody counts.
      connectionRetryLimit: 0,
      // Its own limit would be the first to end where the thread was busy, with another reason. Ours is for every push.
      requestTimeout: 0,
      createConnection: () => {
        const socket = connect({
          host: origin.hostname,
          port: Number(origin.port || 443),
          ...(/^[\d.]+$|:/.test(origin.hostname) ? {} : { servername: origin.hostname }),
          cert: certificate,
          key: privateKey,
          ...(ca !== undefined && { ca }),
          ALPNProtocols: ['h2'],
        });
        sockets.add(socket);
        socket.once('close', () => sockets.delete(socket));
        return socket;
      },
    };
    return { provider: new apn.Provider(options), sockets, bytesExpected: bytesOfConnection };
  }

  /** No push goes to it any more. Those that are under way have as long as any. */
  function retire(client: Client): void {
    if (client === current) current = undefined;
    if (retired.has(client)) return;
    retired.add(client);
    void client.provider.shutdown();
    setTimeout(() => {
      breakOff(client);
      retired.delete(client);
    }, requestMs).unref();
  }

  const checking = setInterval(() => {
    for (const client of current ? [current, ...retired] : retired) {
      let received = 0;
      for (const { bytesRead } of client.sockets) received += bytesRead;
      if (received <= client.bytesExpected) continue;
      breakOff(client);
      retire(client);
    }
  }, checkEveryMs);
  checking.unref();

  return {
    async send(push, signal) {
      if (isClosed || signal.aborted) return { kind: 'later', reason: reasons.stopped };
      if (!read) return { kind: 'refused', reason: reasons.certificateInvalid };
      if (read.validTo <= clock.now()) return { kind: 'refused', reason: reasons.certificateExpired };
      if (!/^[0-9a-f]{2,512}$/i.test(push.token)) return { kind: 'gone', reason: 'BadDeviceToken' };
      current ??= open();
      const client = current;
      client.bytesExpected += bytesOfAnswer;
      const notification = notificationOf(push);
      // The library reads it before it first waits.
      notification.id = push.id;
      return new Promise<PushOutcome>((resolve) => {
        // Its signal ends the wait alone: where no answer comes at all, the time limit retires the client still.
        const ended = limits.start((reason) => {
          resolve({ kind: 'later', reason: reasons[reason] });
          if (reason === 'timeout') retire(client);
        }, signal);
        const settle = (outcome: PushOutcome) => {
          ended();
          resolve(outcome);
        };
        client.provider.send(notification, push.token).then(
          ({ failed: [failure] }) => settle(failure ? outcomeOf(failure) : { kind: 'taken' }),
          () => settle({ kind: 'later', reason: reasons.connectionClosed }),
        );
      });
    },
    async close() {
      isClosed = true;
      clearInterval(checking);
      if (current) retire(current);
      for (const client of retired) breakOff(client);
    },
  };
}

function breakOff({ sockets }: Client): void {
  for (const socket of sockets) socket.destroy();
}

function outcomeOf({ response, status }: ResponseFailure): PushOutcome {
  return apnsOutcome({ status: typeof status === 'number' ? status : undefined, reason: response?.reason });
}

/** Undefined for what is no certificate, which the library would take for the name of a file. */
function readCertificate(
  pem: string,
): { readonly validTo: Date; readonly isProduction: boolean } | undefined {
  try {
    const certificate = new X509Certificate(pem);
    return {
      validTo: certificate.validToDate,
      isProduction: certificate.raw.includes(productionExtension),
    };
  } catch {
    return undefined;
  }
}
