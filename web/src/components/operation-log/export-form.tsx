import { chakra, Flex } from '@chakra-ui/react';
import { ApiError } from '@portal/api-client';
import { dateTime } from '@portal/contracts';
import { X } from 'lucide-react';
import { useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { z } from 'zod';
import { failureOf, useContractForm } from '../../lib/contract-form.ts';
import { type CsvExportCalls, useCsvExport } from '../../lib/csv-export.ts';
import { viewerZone } from '../../lib/format.ts';
import { endsBeforeStart } from '../../lib/list/filter-values.ts';
import { IconButton } from '../../ui/button.tsx';
import { useAnnouncer } from '../../ui/feedback/announcer.tsx';
import { useErrorModal } from '../../ui/feedback/error-modal.tsx';
import { DateTimeField } from '../../ui/form/fields.tsx';
import { Form, FormSection } from '../../ui/form/form.tsx';
import { CsvExportProgress } from '../csv-export-button.tsx';

const optionalTime = z.union([z.literal(''), dateTime]);

const schema = z
  .object({ operationDateStart: optionalTime, operationDateEnd: optionalTime })
  .refine(({ operationDateStart: start, operationDateEnd: end }) => !endsBeforeStart(start, end), {
    path: ['operationDateEnd'],
    error: 'endBeforeStart',
  });

const empty = { operationDateStart: '', operationDateEnd: '' };

export interface OperationLogQuery {
  readonly tz: string;
  readonly operationDateStart?: string;
  readonly operationDateEnd?: string;
}

interface OperationLogFormProps {
  /** Tells the exports of a tab apart. */
  name: string;
  create: (query: OperationLogQuery) => ReturnType<CsvExportCalls['create']>;
  calls: Omit<CsvExportCalls, 'create'>;
}

/** Exports the operation logs of a range of dates. */
export function OperationLogForm({ calls, create, name }: OperationLogFormProps) {
  const { t } = useTranslation(['operationLogs', 'ui']);
  const { announce, toast } = useAnnouncer();
  const { showError } = useErrorModal();
  const form = useContractForm(schema, empty, {
    operationDateStart: t('start'),
    operationDateEnd: t('end'),
  });
  const query = useRef<OperationLogQuery>({ tz: viewerZone() });
  const csv = useCsvExport(
    name,
    { ...calls, create: () => create(query.current) },
    {
      onComplete: (rowCount) => toast({ tone: 'success', message: t('ui:csvComplete', { count: rowCount }) }),
      onFailed(failure) {
        if (failure instanceof ApiError) form.fail(failureOf(failure));
        else showError({ message: t(`ui:${failure}`) });
      },
    },
  );
  const isRunning = csv.step !== 'idle';
  return (
    <Form
      form={form}
      disposable
      submitLabel={t('ui:csv')}
      pending={isRunning}
      onSubmit={({ operationDateEnd, operationDateStart }) => {
        query.current = {
          tz: viewerZone(),
          ...(operationDateStart && { operationDateStart }),
          ...(operationDateEnd && { operationDateEnd }),
        };
        announce(t('ui:csvBegun'));
        csv.start();
      }}
      cancel={
        isRunning && (
          <Flex align="center" gap="2">
            <CsvExportProgress state={csv} />
            <IconButton
              label={t('ui:csvCancel')}
              icon={<X />}
              onClick={({ currentTarget }) => {
                // This button goes away.
                currentTarget.form?.querySelector<HTMLElement>('[type=submit]')?.focus();
                csv.cancel();
                announce(t('ui:csvCancelled'));
              }}
            />
          </Flex>
        )
      }
    >
      <FormSection>
        <DateTimeField {...form.field('operationDateStart')} help={t('startHelp')} />
        <DateTimeField {...form.field('operationDateEnd')} help={t('endHelp')} />
        <chakra.p color="fg.muted" fontSize="sm">
          {t('columns')}
        </chakra.p>
      </FormSection>
    </Form>
  );
}
