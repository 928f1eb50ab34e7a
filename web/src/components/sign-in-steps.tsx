import { Box } from '@chakra-ui/react';
import { type ReactNode, Suspense } from 'react';
import { useTranslation } from 'react-i18next';
import type { SessionKind } from '../lib/session/session-store.ts';
import { Notice } from '../ui/feedback/notice.tsx';
import { PageSpinner } from '../ui/feedback/states.tsx';
import { PageHeader } from '../ui/page/page-header.tsx';
import { SecondStepPage } from './lazy-second-step.ts';
import { SessionEndNotice } from './session-end-notice.tsx';
import type { Begin } from './use-begin.ts';
import type { Challenge } from './use-challenge.ts';

interface SignInStepsProps {
  kind: SessionKind;
  title: string;
  lead: string;
  challenge: Challenge;
  begin: Begin;
  /** The first step. */
  children: ReactNode;
}

/** A login page: the first step, and the second for who signs in with two factors. */
export function SignInSteps({ kind, title, lead, challenge, begin, children }: SignInStepsProps) {
  const { isOver, value } = challenge;
  if (value !== undefined) {
    return (
      <Suspense fallback={<PageSpinner />}>
        <SecondStepPage kind={kind} challenge={{ ...challenge, value }} begin={begin} />
      </Suspense>
    );
  }
  return (
    <>
      <PageHeader title={title} lead={lead} />
      {isOver ? <ChallengeOver /> : <SessionEndNotice />}
      {children}
    </>
  );
}

/** Why the first step is there again. */
export function ChallengeOver() {
  // They came with the second step.
  const { t } = useTranslation('secondStep');
  return (
    <Box mb="4">
      <Notice tone="error">{t('over')}</Notice>
    </Box>
  );
}
