import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../../lib/format.ts';
import { DescriptionList } from '../../../../ui/page/description-list.tsx';
import { Panel } from '../../../../ui/page/panel.tsx';
import type { ImportState } from './use-import.ts';

/** What an import does, or did, to the users, and before it is applied what it takes of the licences. */
export function ImportCounts({ state }: { state: ImportState }) {
  const { t } = useTranslation('userImport');
  const format = useFormat();
  const people = (count: number) => t('people', { count: format.number(count) });
  const { licences, status } = state;
  return (
    <Panel overflow="hidden" maxW="form">
      <DescriptionList
        items={[
          { label: t('created'), value: people(state.createCount) },
          { label: t('changed'), value: people(state.updateCount) },
          { label: t('unchanged'), value: people(state.unchangedCount) },
          { label: t('deleted'), value: people(state.deleteCount) },
          ...(licences && status === 'checked'
            ? [
                {
                  label: t('licences.label'),
                  value: t(licences.needed > 0 ? 'licences.needed' : 'licences.none', {
                    needed: format.number(licences.needed),
                    left: format.number(licences.left),
                  }),
                },
              ]
            : []),
        ]}
      />
    </Panel>
  );
}
