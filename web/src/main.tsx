import './lib/zod-without-eval.ts';
import { StrictMode, startTransition } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router-dom';
import { App } from './app/app.tsx';
import { routes } from './app/routes.tsx';
import { takeDatabaseKey } from './lib/database-key.ts';
import { startI18n } from './lib/i18n.ts';
import { refuseStrayDrops } from './lib/stray-drops.ts';
import { createPortalSystem } from './ui/theme.ts';

const container = document.getElementById('root');
if (!container) throw new Error('#root is missing');

// Before anything reads the address.
takeDatabaseKey();
refuseStrayDrops();
void start(container);

async function start(root: HTMLElement): Promise<void> {
  await breathe();
  const texts = startI18n();
  // The page's own code and texts come meanwhile.
  const router = createBrowserRouter(routes);
  await breathe();
  const system = createPortalSystem();
  await Promise.all([texts, breathe()]);
  // A transition is rendered in small pieces.
  startTransition(() =>
    createRoot(root).render(
      <StrictMode>
        <App router={router} system={system} />
      </StrictMode>,
    ),
  );
}

/** Lets the browser answer who presses or scrolls: on a phone each step of the start takes a tenth of a second. */
async function breathe(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve));
}
