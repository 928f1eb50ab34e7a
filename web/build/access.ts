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

/** The same with each access once, beside the names of its calls: every page loads it. */
function callsByAccess(): readonly (readonly [names: string, access: RouteContract['access']])[] {
  const calls = Object.entries(accessOfCalls());
  const groups = Map.groupBy(calls, ([, access]) => JSON.stringify(access));
  return [...groups.values()].flatMap((group) => {
    const [first] = group;
    return first ? [[group.map(([name]) => name).join(' '), first[1]] as const] : [];
  });
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
      source === id
        ? `export const accessOf = Object.fromEntries(${JSON.stringify(callsByAccess())}
            .flatMap(([names, access]) => names.split(' ').map((name) => [name, access])));`
        : undefined,
  };
}
