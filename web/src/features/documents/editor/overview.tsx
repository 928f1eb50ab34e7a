import { Box, chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { databaseStatusNames } from '../../../components/database-status.ts';
import { useFormat } from '../../../lib/format.ts';
import { CopyButton } from '../../../ui/copy-button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Meter } from '../../../ui/meter.tsx';
import { DescriptionList } from '../../../ui/page/description-list.tsx';
import { Panel } from '../../../ui/page/panel.tsx';
import { Section } from '../../../ui/page/section.tsx';
import { DatabaseKeyPanel } from './database-key-panel.tsx';
import { type OpenDatabase, useDatabase } from './open-database.ts';

/** The database itself: what it holds, until when, and how an app reaches it. */
export function Overview() {
  const { t } = useTranslation('documents');
  const { dateTimeWithZone, fileSize, number } = useFormat();
  const database = useDatabase();
  const { contractStatus, db, documentCount, expireDate, quotaBytes, seesKey, startDate, usageBytes } =
    database;
  return (
    <div>
      <Section title={t('use')}>
        <Panel>
          <DescriptionList
            items={[
              {
                label: t('usage'),
                value: (
                  <Meter
                    wide
                    label={t('usage')}
                    value={usageBytes}
                    max={quotaBytes}
                    text={t('ofQuota', { used: fileSize(usageBytes), quota: fileSize(quotaBytes) })}
                  />
                ),
              },
              { label: t('documents'), value: number(documentCount) },
              { label: t('contract'), value: t(`statuses.${databaseStatusNames[contractStatus]}`) },
              { label: t('startDate'), value: dateTimeWithZone(startDate) },
              { label: t('expireDate'), value: dateTimeWithZone(expireDate) },
            ]}
          />
        </Panel>
      </Section>
      {seesKey && <DatabaseKeyPanel />}
      <Section title={t('connect')} lead={t('connectLead')}>
        <Example db={db} />
      </Section>
    </div>
  );
}

/** A first call of an app, with the address of this database. */
function Example({ db }: Pick<OpenDatabase, 'db'>) {
  const { t } = useTranslation('documents');
  const address = `${window.location.origin}/api/v2/${db}/collection`;
  const call = `curl -H "X-Api-Key: $API_KEY" ${address}`;
  return (
    <Panel p="4">
      <chakra.pre
        fontFamily="mono"
        fontSize="0.8125rem"
        whiteSpace="pre-wrap"
        overflowWrap="anywhere"
        mb="3"
        tabIndex={0}
        role="group"
        aria-label={t('connect')}
      >
        {call}
      </chakra.pre>
      <CopyButton text={call} label={t('copyCall')} />
    </Panel>
  );
}

/** What cannot be done any more, or soon, and why. */
export function DatabaseNotice() {
  const { t } = useTranslation('documents');
  const { date } = useFormat();
  const { expireDate, isOver, quotaBytes, usageBytes } = useDatabase();
  const isFull = usageBytes >= quotaBytes;
  if (!isOver && !isFull) return null;
  return (
    <Box mb="4">
      <Notice tone="warning">{isOver ? t('over', { date: date(expireDate) }) : t('full')}</Notice>
    </Box>
  );
}
