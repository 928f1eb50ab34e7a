import { Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useLocation } from 'react-router-dom';
import { z } from 'zod';
import { useIsDone } from '../../lib/done.ts';
import { partnerLoginPath, resetMailPath } from '../../lib/partner-code.ts';
import { ButtonLink } from '../../ui/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { CompletePage } from '../../ui/page/complete-page.tsx';
import { PageHeader } from '../../ui/page/page-header.tsx';
import { useArea } from './area.ts';

export function ResetMailCompletePage() {
  const { t } = useTranslation('password');
  const { base, login, name } = useArea();
  if (!useIsDone()) return <Navigate to={`${base}/reset-mail`} replace />;
  return (
    <CompletePage
      title={t('forgotten')}
      message={t('mailSent')}
      next={
        <>
          {login !== undefined && <ButtonLink to={login}>{t('toLogin')}</ButtonLink>}
          <ButtonLink to={resetMailPath(name)} variant="outline" colorPalette="gray">
            {t('askAgain')}
          </ButtonLink>
        </>
      }
    />
  );
}

/** Where the server has said that the owner of the link signs in, and with what code. */
const places = z.object({ portal: z.boolean(), player: z.boolean(), partnerCode: z.string().nullable() });

export function ResetCompletePage() {
  const { t } = useTranslation('password');
  const { base, login, name } = useArea();
  const { data: told } = places.safeParse(useLocation().state);
  if (!useIsDone()) return <Navigate to={`${base}/reset-mail`} replace />;
  // Of an administrator nothing but the area is known.
  const byArea = { portal: name !== 'user', player: name === 'user' };
  const { player, portal } = told?.portal || told?.player ? told : byArea;
  const code = told?.partnerCode;
  return (
    <CompletePage
      title={t('complete')}
      message={t(player ? (portal ? 'completeForBoth' : 'completeForPlayer') : 'completeMessage')}
      notes={code ? [t('withCode', { code })] : []}
      next={
        portal && (
          <ButtonLink to={code ? partnerLoginPath(code) : (login ?? partnerLoginPath())}>
            {t('toLogin')}
          </ButtonLink>
        )
      }
    />
  );
}

export function ResetExpiredPage() {
  const { t } = useTranslation('password');
  return (
    <OverPage title={t('expired')} next={<AskForMail />}>
      {t('expiredMessage')}
    </OverPage>
  );
}

export function InitNotCompletedPage() {
  const { t } = useTranslation('password');
  const { login } = useArea();
  // In the portal it is the link of a sign-up, which is mailed once.
  if (login !== undefined) {
    return (
      <OverPage title={t('expired')} next={<ButtonLink to={login}>{t('toLogin')}</ButtonLink>}>
        {t('signUpOverMessage')}
      </OverPage>
    );
  }
  return (
    <OverPage title={t('notCompleted')} next={<AskForMail />}>
      {t('notCompletedMessage')}
    </OverPage>
  );
}

function OverPage({ title, next, children }: { title: string; next: ReactNode; children: ReactNode }) {
  return (
    <>
      <PageHeader title={title} />
      <Notice tone="warning">{children}</Notice>
      <Flex mt="6">{next}</Flex>
    </>
  );
}

function AskForMail() {
  const { t } = useTranslation('password');
  const { name } = useArea();
  return <ButtonLink to={resetMailPath(name)}>{t('askForMail')}</ButtonLink>;
}
