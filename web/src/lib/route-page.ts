import type { ComponentType } from 'react';
import type { RouteObject } from 'react-router-dom';
import { loadTexts, type Namespace } from './i18n.ts';
import type { Call } from './session/calls.ts';

/** A route's page as a chunk of its own: `page(() => import('./list-page.tsx'), 'GroupListPage')`. */
export function page<K extends string>(load: () => Promise<Record<K, ComponentType>>, name: K) {
  return { lazy: async () => ({ Component: (await load())[name] }) };
}

/** Pages whose texts load beside their code. */
export function withTexts(namespaces: readonly Namespace[], children: RouteObject[]): RouteObject {
  return {
    async lazy() {
      await loadTexts(namespaces);
      return {};
    },
    children,
  };
}

export interface PageHandle {
  /** The call without which the page makes no sense; who may not make it gets a refusal instead of the page. */
  readonly needs: Call;
}

export function isPageHandle(value: unknown): value is PageHandle {
  return typeof value === 'object' && value !== null && 'needs' in value;
}
