import type { RouteContract } from '@portal/contracts';
import * as contracts from '@portal/contracts';
import type { Plugin } from 'vite';

const isRoute = (value: unknown): value is RouteContract =>
  typeof value === 'object' && value !== null && 'access' in value;

/** Who may make each call that the client can make, by the names that `lib/session/calls.ts` knows them by. */
function accessOfCalls(): Record<string, RouteContract['access']> {
  const modules = Object.entries<unknown>(contracts).flatMap(([name, module]) =>
    name.endsWith('Routes') ? Object.entries(Object(module)) : [],
  );
  return Object.fromEntries(
    modules.flatMap(([name, value]) => (isRoute(value) ? [[name, value.access]] : [])),
  );
}

/**
 * `virtual:access`: what the navigation and the guards know of every call of the product before any screen is loaded.
 * The contracts themselves, with their schemas, load with the screens that make the calls.
 */
export function access(): Plugin {
  const id = '\0virtual:access';
  return {
    name: 'access',
    resolveId: (source) => (source === 'virtual:access' ? id : undefined),
    load: (source) =>
      source === id ? `export const accessOf = ${JSON.stringify(accessOfCalls())};` : undefined,
  };
}
