import type { SystemContext } from '@chakra-ui/react';
import { Suspense } from 'react';
import { createBrowserRouter, matchRoutes, RouterProvider } from 'react-router-dom';
import { PageSpinner } from '../ui/feedback/states.tsx';
import { PrefetchContext } from '../ui/link.tsx';
import { Providers } from './providers.tsx';
import { routes } from './routes.tsx';

const prefetched = new Set<string>();

/** Loads the code of the pages at an address; the browser keeps it for the visit. */
function prefetch(to: string): void {
  const { pathname } = new URL(to, window.location.href);
  if (prefetched.has(pathname)) return;
  prefetched.add(pathname);
  for (const { route } of matchRoutes(routes, pathname) ?? []) {
    // A failure here is ignored: it occurs again, and is shown, when the page is opened.
    if (typeof route.lazy === 'function') void route.lazy().catch(() => prefetched.delete(pathname));
  }
}

export function App({
  router,
  system,
}: {
  router: ReturnType<typeof createBrowserRouter>;
  system: SystemContext;
}) {
  return (
    <Providers system={system}>
      <PrefetchContext value={prefetch}>
        {/* For texts that a page needs sooner than its route has them: those of another language, after a change. */}
        <Suspense fallback={<PageSpinner />}>
          <RouterProvider router={router} />
        </Suspense>
      </PrefetchContext>
    </Providers>
  );
}
