import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router-dom';
import { z } from 'zod';
import { App } from './app/app.tsx';
import { routes } from './app/routes.tsx';
import { startI18n } from './lib/i18n.ts';

// Compiling schemas needs `eval`, which the Content-Security-Policy forbids.
z.config({ jitless: true });

const root = document.getElementById('root');
if (!root) throw new Error('#root is missing');

await startI18n();
createRoot(root).render(
  <StrictMode>
    <App router={createBrowserRouter(routes)} />
  </StrictMode>,
);
