import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../../lib/format.ts';
import { DescriptionList } from '../../../../ui/page/description-list.tsx';
import { Panel } from '../../../../ui/page/panel.tsx';
import type { ImportState } from './use-import.ts';

/** What an import does, or did, to the users. */
export function ImportCounts({ counts }: { counts: ImportState }) {
  const { t } = useTranslation('userImport');
  const format = useFormat();
  const people = (count: number) => t('people', { count: format.number(count) });
  return (
    <Panel overflow="hidden">
      <DescriptionList
        items={[
          { label: t('created'), value: people(counts.createCount) },
          { label: t('changed'), value: people(counts.updateCount) },
          { label: t('unchanged'), value: people(counts.unchangedCount) },
          { label: t('deleted'), value: people(counts.deleteCount) },
        ]}
      />
    </Panel>
  );
}
