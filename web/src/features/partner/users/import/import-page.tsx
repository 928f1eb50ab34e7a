import { chakra, Flex } from '@chakra-ui/react';
import { fieldMessage, limits, userCsvColumns } from '@portal/contracts';
import { Download } from 'lucide-react';
import { useEffect, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate } from 'react-router-dom';
import { z } from 'zod';
import { CsvExportButton } from '../../../../components/csv-export-button.tsx';
import { UploadCancelled } from '../../../../components/upload/upload-cancelled.ts';
import { userListPath } from '../../../../components/users/user.ts';
import { failureOf } from '../../../../lib/contract-form.ts';
import { saveBlob } from '../../../../lib/download.ts';
import { useFormat } from '../../../../lib/format.ts';
import { useLanguage } from '../../../../lib/i18n.ts';
import { usePartnerSession } from '../../../../lib/session/use-session.ts';
import { useAction } from '../../../../lib/use-action.ts';
import { Button, ButtonLink } from '../../../../ui/button.tsx';
import { Notice } from '../../../../ui/feedback/notice.tsx';
import { ProgressBar } from '../../../../ui/feedback/progress-bar.tsx';
import { PageHeader } from '../../../../ui/page/page-header.tsx';
import { Panel } from '../../../../ui/page/panel.tsx';
import { DropZone } from '../../../../ui/upload/upload-panel.tsx';
import { useUserCrumbs } from '../use-user-crumbs.ts';
import { useUsersCsv } from '../use-users-csv.ts';
import { BadLines } from './bad-lines.tsx';
import type { UserCsvReport } from './check-user-csv.ts';
import { CheckedImport, rememberImport } from './checked-import.tsx';
import { csvBlob, exampleRows } from './csv-files.ts';
import { importLink } from './import-paths.ts';
import { RunningImportUpload } from './running-import-upload.tsx';
import { useCsvCheck } from './use-csv-check.ts';
import { useImportUpload } from './use-import-upload.ts';

/** What the confirmation hands over when the server could not read the file. */
const arrival = z.object({ failure: z.string() });

/** Chooses the file, which is checked here first, and sends it to be checked by the server. */
export function UserImportPage() {
  const { t } = useTranslation(['userImport', 'ui']);
  const language = useLanguage();
  const navigate = useNavigate();
  const { state } = useLocation();
  const [file, setFile] = useState<File>();
  const { partner } = usePartnerSession();
  const check = useCsvCheck(file);
  const { send, uploader } = useImportUpload();
  const [failure, setFailure] = useState(() => arrival.safeParse(state).data?.failure);
  const result = useRef<HTMLDivElement>(null);

  const submit = useAction({
    mutationFn: send,
    onSuccess(id) {
      rememberImport(partner.id, id);
      return navigate(importLink('confirm', id));
    },
    onError(error) {
      if (error instanceof UploadCancelled) return;
      const { fields, message } = failureOf(error);
      setFailure([message, ...fields.map((field) => field.message)].join('\n'));
    },
  });

  const wrongKind = useMemo(() => {
    if (!file) return undefined;
    if (!/\.csv$/i.test(file.name)) return fieldMessage('csvExtension', language);
    return file.size > limits.maxImportSize ? fieldMessage('fileTooLarge', language) : undefined;
  }, [file, language]);
  const report = wrongKind === undefined ? check.report : undefined;
  const checking = file !== undefined && wrongKind === undefined && report === undefined;

  // The result of the check appears without an action, so screen readers are led to it.
  useEffect(() => {
    if (report) result.current?.focus();
  }, [report]);

  return (
    <>
      <PageHeader title={t('title')} crumbs={useUserCrumbs(t('title'))} lead={t('lead')} />
      <Flex direction="column" gap="5" maxW="form">
        {failure !== undefined && (
          <Notice tone="error">
            <chakra.p fontWeight="semibold">{t('csvError')}</chakra.p>
            <chakra.p whiteSpace="pre-wrap">{failure}</chakra.p>
          </Notice>
        )}
        <CheckedImport />
        <Instructions />
        {uploader ? (
          <RunningImportUpload uploader={uploader} fileName={file?.name ?? ''} />
        ) : (
          <>
            <DropZone
              label={t('file')}
              help={t('fileHelp')}
              accept=".csv"
              file={file}
              onChange={(chosen) => {
                setFailure(undefined);
                setFile(chosen);
              }}
              error={wrongKind}
            />
            {checking && (
              <Panel p="5">
                <ProgressBar label={t('checking')} share={check.progress} />
              </Panel>
            )}
            <chakra.div ref={result} tabIndex={-1} outline="none">
              {file && report !== undefined && <Report file={file} report={report} />}
            </chakra.div>
            <Flex gap="2" wrap="wrap">
              <Button
                size="md"
                pending={submit.isPending}
                disabled={!file || !isFine(report)}
                onClick={() => file && submit.mutate(file)}
              >
                {t('ui:toConfirm')}
              </Button>
              <ButtonLink to={userListPath} size="md" variant="outline" colorPalette="gray">
                {t('ui:cancel')}
              </ButtonLink>
            </Flex>
          </>
        )}
      </Flex>
    </>
  );
}

function isFine(report: UserCsvReport | null | undefined): boolean {
  // If the browser could not check the file, the server checks it.
  return report === null || (report?.readable === true && report.faultCount === 0);
}

function Instructions() {
  const { t } = useTranslation('userImport');
  const csv = useUsersCsv();
  return (
    <Panel p="5">
      <chakra.h2 fontWeight="semibold" mb="2">
        {t('columnsTitle')}
      </chakra.h2>
      <chakra.dl
        display="grid"
        gridTemplateColumns={{ base: '1fr', sm: '9rem 1fr' }}
        columnGap="4"
        rowGap="1"
      >
        {userCsvColumns.map((column) => (
          <chakra.div key={column} display="contents">
            <dt>
              <chakra.code fontSize="xs">{column}</chakra.code>
            </dt>
            <chakra.dd color="fg.muted" mb={{ base: '1', sm: '0' }}>
              {t(`columns.${column}`)}
            </chakra.dd>
          </chakra.div>
        ))}
      </chakra.dl>
      <chakra.p mt="3" color="fg.muted">
        {t('rules')}
      </chakra.p>
      <chakra.p mt="3" color="fg.muted">
        {t('exportHelp')}
      </chakra.p>
      <Flex mt="3" gap="2" wrap="wrap">
        <Button
          variant="outline"
          colorPalette="gray"
          icon={<Download />}
          onClick={() => saveBlob(csvBlob([userCsvColumns, ...exampleRows]), 'users_template.csv')}
        >
          {t('template')}
        </Button>
        <CsvExportButton
          name={csv.name}
          calls={{ ...csv.calls, create: csv.createForImport }}
          label={t('export')}
        />
      </Flex>
    </Panel>
  );
}

/** The result of the browser's check. */
function Report({ file, report }: { file: File; report: UserCsvReport | null }) {
  const { t } = useTranslation(['userImport', 'ui']);
  const language = useLanguage();
  const format = useFormat();
  if (report === null) return <Notice tone="warning">{t('notChecked')}</Notice>;
  if (!report.readable) {
    const where = report.line === null ? '' : t('atLine', { line: format.number(report.line) });
    return (
      <Notice tone="error">
        <chakra.p fontWeight="semibold">{t('csvError')}</chakra.p>
        {where} {fieldMessage(report.message, language, { max: format.number(limits.maxImportRows) })}
      </Notice>
    );
  }
  const { deleteCount, faultCount, faults, keepCount } = report;
  if (faultCount === 0) {
    return (
      <Notice tone="success">
        {t('checkedLocally', {
          keep: format.number(keepCount),
          remove: format.number(deleteCount),
        })}
      </Notice>
    );
  }
  const told = faults.map(({ field, line, message, params }) => ({
    line,
    field,
    message: fieldMessage(message, language, params),
  }));
  return (
    <Flex direction="column" gap="3">
      <Notice tone="error">
        <chakra.p fontWeight="semibold">{t('errorLines')}</chakra.p>
        {t('errorCount', { count: format.number(faultCount) })}
      </Notice>
      <BadLines lines={told.slice(0, limits.importLinesShown)} />
      <Flex justify="space-between" gap="3" wrap="wrap" align="center">
        <chakra.span color="fg.muted" fontSize="xs">
          {faultCount > limits.importLinesShown &&
            t('firstShown', { count: format.number(limits.importLinesShown) })}
        </chakra.span>
        <Button
          variant="outline"
          icon={<Download />}
          onClick={() =>
            saveBlob(
              csvBlob([
                [t('line'), t('field'), t('reason')],
                ...told.map(({ field, line, message }) => [String(line), field, message]),
              ]),
              `${file.name.replace(/\.csv$/i, '')}_errors.csv`,
            )
          }
        >
          {t('downloadErrors')}
        </Button>
      </Flex>
    </Flex>
  );
}
