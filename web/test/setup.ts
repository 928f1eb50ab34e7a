import 'fake-indexeddb/auto';
import { cleanup, configure } from '@testing-library/react';

import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { forgetChoices } from '../src/lib/choices.ts';
import { changeLanguage, startI18n } from '../src/lib/i18n.ts';
import { server } from './server.ts';

// A failure tells what was missing; the whole page beside it only hides that.
configure({ getElementError: (message) => new Error(message ?? 'not found'), asyncUtilTimeout: 10_000 });

beforeAll(async () => {
  server.listen({ onUnhandledFrame: 'error' });
  await startI18n();
});

beforeEach(async () => {
  localStorage.clear();
  sessionStorage.clear();
  forgetChoices();
  await changeLanguage('ja');
});

afterEach(() => {
  cleanup();
  server.resetHandlers();
});

afterAll(() => server.close());
