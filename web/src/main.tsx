import './lib/zod-without-eval.ts';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter } from 'react-router-dom';
import { App } from './app/app.tsx';
import { routes } from './app/routes.tsx';
import { takeDatabaseKey } from './lib/database-key.ts';
import { startI18n } from './lib/i18n.ts';

const root = document.getElementById('root');
if (!root) throw new Error('#root is missing');

// Before anything reads the address.
takeDatabaseKey();
const started = startI18n();
// The page's own code and texts come meanwhile.
const router = createBrowserRouter(routes);
void started.then(() =>
  createRoot(root).render(
    <StrictMode>
      <App router={router} />
    </StrictMode>,
  ),
);
