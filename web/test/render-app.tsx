import { render } from '@testing-library/react';
import userEvent, { type UserEvent } from '@testing-library/user-event';
import { createBrowserRouter } from 'react-router-dom';
import { App } from '../src/app/app.tsx';
import { routes } from '../src/app/routes.tsx';
import { takeDatabaseKey } from '../src/lib/database-key.ts';
import { createPortalSystem } from '../src/ui/theme.ts';

const system = createPortalSystem();

export interface RenderedApp {
  readonly user: UserEvent;
  /** What a reload does: everything in memory goes, storage and address stay. */
  reload(): RenderedApp;
}

/** The whole client at an address. Without one, where the browser is. */
export function renderApp(address?: string): RenderedApp {
  if (address !== undefined) window.history.pushState(null, '', address);
  takeDatabaseKey();
  const router = createBrowserRouter(routes);
  const rendered = render(<App router={router} system={system} />);
  return {
    user: userEvent.setup({ delay: null }),
    reload() {
      rendered.unmount();
      router.dispose();
      return renderApp();
    },
  };
}

export const address = () => window.location.pathname + window.location.search;
