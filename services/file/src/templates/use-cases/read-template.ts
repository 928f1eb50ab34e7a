import type { fileRoutes } from '@portal/contracts';
import { AppError, type Clock, type Logger } from '@portal/kernel';
import { LRUCache } from 'lru-cache';
import { z } from 'zod';
import { bundledTemplates, type Template } from '../domain/bundled-templates.ts';

export type ReadTemplate = (name: fileRoutes.TemplateName) => Promise<Template>;

/** The address is asked so often at most; its last answer is given meanwhile. */
const keptMs = 60_000;
/** A place that is slow keeps nobody longer. */
const withinMs = 5_000;
const mostBytes = 64 * 1024;

const template = z.looseObject({});

/**
 * The templates of the installation: those below `url`, or the bundled ones without. If that address fails, its last answer is given;
 * without one, `E50301`.
 */
export function createReadTemplate(deps: {
  readonly url: string | undefined;
  readonly clock: Clock;
  readonly logger: Logger;
}): ReadTemplate {
  const { clock, logger, url } = deps;
  if (url === undefined) return async (name) => bundledTemplates[name];
  const read = new LRUCache<fileRoutes.TemplateName, { readonly template: Template | undefined }>({
    max: 2,
    ttl: keptMs,
    ttlResolution: 0,
    perf: { now: () => clock.now().getTime() },
    // A failure is kept as long as an answer, so that an address which is away is not asked, and waited for, at each call.
    async fetchMethod(name, last) {
      try {
        return { template: await fetchTemplate(`${url}/${name}`) };
      } catch (error) {
        logger.warn({ err: error, template: name }, 'TEMPLATES_URL does not answer with a template');
        return last ?? { template: undefined };
      }
    },
  });
  return async (name) => {
    const found = await read.fetch(name);
    if (!found?.template) throw new AppError('E50301');
    return found.template;
  };
}

async function fetchTemplate(address: string): Promise<Template> {
  const reply = await fetch(address, { signal: AbortSignal.timeout(withinMs) });
  if (!reply.ok || !reply.body) throw new Error(`The address answers ${reply.status}`);
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of reply.body) {
    size += part.length;
    if (size > mostBytes) throw new Error(`The template has more than ${mostBytes} bytes`);
    parts.push(part);
  }
  return template.parse(JSON.parse(Buffer.concat(parts).toString()));
}
