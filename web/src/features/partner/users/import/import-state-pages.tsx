import { chakra, Flex } from '@chakra-ui/react';
import type { ApiError } from '@portal/api-client';
import { userRoutes } from '@portal/contracts';
import { Fragment, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate, useLocation } from 'react-router-dom';
import { CsvButton } from '../../../../components/csv-button.tsx';
import { userListPath } from '../../../../components/users/user.ts';
import { useApi } from '../../../../lib/api.ts';
import { useFormat } from '../../../../lib/format.ts';
import { usePartnerSession } from '../../../../lib/session/use-session.ts';
import { ButtonLink } from '../../../../ui/button.tsx';
import { Notice } from '../../../../ui/feedback/notice.tsx';
import { ProgressBar } from '../../../../ui/feedback/progress-bar.tsx';
import { DetailSkeleton, EmptyState, ErrorState } from '../../../../ui/feedback/states.tsx';
import { Link } from '../../../../ui/link.tsx';
import { PageHeader } from '../../../../ui/page/page-header.tsx';
import { Panel } from '../../../../ui/page/panel.tsx';
import { useUserCrumbs } from '../use-user-crumbs.ts';
import { BadLines } from './bad-lines.tsx';
import { ImportChanges } from './import-changes.tsx';
import { ImportCounts } from './import-counts.tsx';
import { ImportDecision } from './import-decision.tsx';
import { importLink, importPaths } from './import-paths.ts';
import { changesAnything, type ImportState, useImport } from './use-import.ts';

/** The pages of an import by its status; each page redirects to the right one. */
function pageOf({ errorCount, status }: ImportState): keyof typeof importPaths {
  if (status === 'failed') return 'form';
  if (status !== 'complete') return 'confirm';
  return errorCount > 0 ? 'error' : 'complete';
}

interface StatePageProps {
  page: Exclude<keyof typeof importPaths, 'form'>;
  title: string;
  children: (state: ImportState, id: number) => ReactNode;
}

function StatePage({ page, title, children }: StatePageProps) {
  const { t } = useTranslation('userImport');
  const format = useFormat();
  const { pathname } = useLocation();
  const { data, error, id, refetch } = useImport();
  const crumbs = useUserCrumbs(t('title'));
  if (id === 0) return <Navigate to={importPaths.form} replace />;
  if (data && pageOf(data) !== page) {
    const right = pageOf(data);
    if (right !== 'form') return <Navigate to={importLink(right, id)} replace />;
    const { line = null, message = '' } = data.failure ?? {};
    const where = line === null ? '' : `${t('atLine', { line: format.number(line) })} `;
    return <Navigate to={importPaths.form} replace state={{ failure: where + message }} />;
  }
  return (
    <>
      <PageHeader title={error?.status === 404 ? t('title') : title} crumbs={crumbs} />
      {data ? (
        <Fragment key={`${pathname} ${id}`}>{children(data, id)}</Fragment>
      ) : (
        <Panel maxW="form" p="6">
          {error ? <NoState error={error} onRetry={() => refetch()} /> : <DetailSkeleton rows={4} />}
        </Panel>
      )}
    </>
  );
}

/** One that is not there any more does not come back by asking again. */
function NoState({ error, onRetry }: { error: ApiError; onRetry: () => void }) {
  const { t } = useTranslation('userImport');
  const action = <ButtonLink to={importPaths.form}>{t('again')}</ButtonLink>;
  if (error.status !== 404) return <ErrorState error={error} onRetry={onRetry} action={action} />;
  return (
    <EmptyState title={t('goneTitle')} action={action}>
      {t('goneText')}
    </EmptyState>
  );
}

/** The planned changes, counted by the server, and the button that confirms them. */
export function UserImportConfirmPage() {
  const { t } = useTranslation(['userImport', 'ui']);
  return (
    <StatePage page="confirm" title={t('confirm')}>
      {(state, id) =>
        state.status === 'checked' ? <ImportDecision state={state} id={id} /> : <Working state={state} />
      }
    </StatePage>
  );
}

function Working({ state: { phase, progress } }: { state: ImportState }) {
  const { t } = useTranslation('userImport');
  return (
    <Flex direction="column" gap="3" maxW="form">
      <Panel p="5">
        <ProgressBar label={t(`phases.${phase ?? 'waiting'}`)} share={progress} />
      </Panel>
      <Notice tone="info">{t('mayLeave')}</Notice>
    </Flex>
  );
}

/** Why nothing was imported, line by line. */
export function UserImportErrorPage() {
  const { t } = useTranslation(['userImport', 'ui']);
  const format = useFormat();
  const api = useApi();
  const { partner } = usePartnerSession();
  return (
    <StatePage page="error" title={t('errorTitle')}>
      {({ errorCount, lineErrors, moreErrors }, id) => (
        <Flex direction="column" gap="4" maxW="form">
          <Notice tone="error">
            <chakra.p fontWeight="semibold">{shortOfLicences(lineErrors) ?? t('errorLines')}</chakra.p>
            {t(moreErrors ? 'errorCountOrMore' : 'errorCount', { count: format.number(errorCount) })}
          </Notice>
          <BadLines lines={lineErrors} />
          {errorCount > lineErrors.length && (
            <chakra.p color="fg.muted" fontSize="xs">
              {t('firstShown', { count: format.number(lineErrors.length) })}
            </chakra.p>
          )}
          <Flex gap="2" wrap="wrap" align="center">
            <ButtonLink to={importPaths.form} size="md">
              {t('again')}
            </ButtonLink>
            <CsvButton
              label={t('downloadErrors')}
              fileName="import_errors.csv"
              load={() =>
                api.send(userRoutes.exportUserImportErrors, {
                  params: { pid: partner.id },
                  query: { batchProcessId: id },
                })
              }
            />
          </Flex>
        </Flex>
      )}
    </StatePage>
  );
}

/** Too few licences are no error of a line: said above all, where it is all that is wrong. */
function shortOfLicences(errors: ImportState['lineErrors']): string | undefined {
  return errors.every(({ code }) => code === 'E40008') ? errors[0]?.message : undefined;
}

/** What was done. */
export function UserImportCompletePage() {
  const { t } = useTranslation('userImport');
  return (
    <StatePage page="complete" title={t('complete')}>
      {(state, id) => (
        <Flex direction="column" gap="4">
          <Flex direction="column" gap="4" maxW="form">
            <Notice tone="success">{t('done')}</Notice>
            <ImportCounts state={state} />
            {state.mailCount > 0 && (
              <Notice tone="info">{t('mails.sent', { count: state.mailCount })}</Notice>
            )}
            {state.unmailedCount > 0 && (
              <Notice tone="info">
                {t('mails.leftOut', { count: state.unmailedCount })}{' '}
                <Link to={`${userListPath}?passwordState=none`}>{t('mails.toUnmailed')}</Link>
              </Notice>
            )}
          </Flex>
          <Flex gap="2" wrap="wrap">
            <ButtonLink to={userListPath} size="md">
              {t('toUsers')}
            </ButtonLink>
            <ButtonLink to={importPaths.form} size="md" variant="outline">
              {t('another')}
            </ButtonLink>
          </Flex>
          {changesAnything(state) && <ImportChanges id={id} state={state} />}
        </Flex>
      )}
    </StatePage>
  );
}
