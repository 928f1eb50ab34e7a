import { lazy } from 'react';
import { loadTexts } from '../lib/i18n.ts';

const texts = () => loadTexts(['secondStep']);

// Loaded when a sign-in asks for it: most have one step.

export const SecondStep = lazy(async () => {
  const [{ SecondStep }] = await Promise.all([import('./account/second-step.tsx'), texts()]);
  return { default: SecondStep };
});

export const SecondStepPage = lazy(async () => {
  const [{ SecondStepPage }] = await Promise.all([import('./account/second-step.tsx'), texts()]);
  return { default: SecondStepPage };
});
