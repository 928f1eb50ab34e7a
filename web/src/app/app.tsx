import { createBrowserRouter, matchRoutes, RouterProvider } from 'react-router-dom';
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
    // What fails here fails again, and is told, when the page is opened.
    if (typeof route.lazy === 'function') void route.lazy().catch(() => prefetched.delete(pathname));
  }
}

export function App({ router }: { router: ReturnType<typeof createBrowserRouter> }) {
  return (
    <Providers>
      <PrefetchContext value={prefetch}>
        <RouterProvider router={router} />
      </PrefetchContext>
    </Providers>
  );
}
