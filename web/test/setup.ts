import 'fake-indexeddb/auto';
import nodeConsole from 'node:console';
import { cleanup, configure } from '@testing-library/react';

import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest';
import { forgetChoices } from '../src/lib/choices.ts';
import { changeLanguage, startI18n } from '../src/lib/i18n.ts';
import { server } from './server.ts';

// A failure tells what was missing; the whole page beside it only hides that.
configure({ getElementError: (message) => new Error(message ?? 'not found'), asyncUtilTimeout: 10_000 });

// As a browser does, the DOM tells Node's console of each answer that is a refusal. Most are what a test is about.
const { error } = nodeConsole;
nodeConsole.error = (...said: unknown[]) => {
  if (!/^[A-Z]+ http:\/\/portal\.test\/\S+ [45]\d\d \(/.test(String(said[0]))) error.apply(nodeConsole, said);
};

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

afterAll(() => {
  nodeConsole.error = error;
  server.close();
});
