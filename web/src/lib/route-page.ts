import type { RouteContract } from '@portal/contracts';
import type { ComponentType } from 'react';

/** A route's page as a chunk of its own: `page(() => import('./list-page.tsx'), 'GroupListPage')`. */
export function page<K extends string>(load: () => Promise<Record<K, ComponentType>>, name: K) {
  return { lazy: async () => ({ Component: (await load())[name] }) };
}

export interface PageHandle {
  /** The call without which the page makes no sense; who may not make it gets a refusal instead of the page. */
  readonly needs: RouteContract;
}

export function isPageHandle(value: unknown): value is PageHandle {
  return typeof value === 'object' && value !== null && 'needs' in value;
}
