import { chakra, Flex } from '@chakra-ui/react';
import { deliveryRoutes } from '@portal/contracts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deliveryParts } from '../../../../components/files/delivery-parts.ts';
import type { FileDetail } from '../../../../components/files/file.ts';
import { Loaded } from '../../../../components/loaded.tsx';
import { useApiQuery } from '../../../../lib/api.ts';
import { useFormat } from '../../../../lib/format.ts';
import { movesEvery } from '../../../../lib/moves-every.ts';
import { usePartnerSession } from '../../../../lib/session/use-session.ts';
import { BarChart } from '../../../../ui/chart/bar-chart.tsx';
import { DetailSkeleton } from '../../../../ui/feedback/states.tsx';
import { Select } from '../../../../ui/form/controls.tsx';
import { Panel } from '../../../../ui/page/panel.tsx';
import { barCount, barsOf, type HistoryBar } from './history-bars.ts';

interface ChartProps {
  file: Pick<FileDetail, 'id'>;
  /** The current one. */
  version: number;
}

/** So many versions back can be looked at. */
const mostVersions = 10;

/** How what has become of a version came about; of the current one unless another was chosen. */
export function DeliveryChart({ file, version }: ChartProps) {
  const { t } = useTranslation('delivery');
  const { partner } = usePartnerSession();
  const [chosen, setChosen] = useState<number>();
  const shown = chosen ?? version;
  const history = useApiQuery(
    deliveryRoutes.getDeliveryHistory,
    { params: { pid: partner.id, id: file.id }, query: { version: shown } },
    { refetchInterval: movesEvery },
  );
  const versions = Array.from({ length: Math.min(version, mostVersions) }, (_, index) => version - index);
  return (
    <Panel p={{ base: '4', md: '5' }}>
      <Flex justify="space-between" align="center" gap="3" mb="3">
        <chakra.h3 fontWeight="medium">{t('chart.title')}</chakra.h3>
        {versions.length > 1 && (
          <chakra.label display="block">
            <chakra.span srOnly>{t('chart.ofVersion')}</chakra.span>
            <Select
              size="xs"
              value={String(shown)}
              options={versions.map((one) => ({
                value: String(one),
                label: t('chart.version', { version: one }),
              }))}
              onChange={({ target }) => {
                const next = Number(target.value);
                // Who looks at the current one goes on to the next.
                setChosen(next === version ? undefined : next);
              }}
            />
          </chakra.label>
        )}
      </Flex>
      {history.isLoading && <DetailSkeleton rows={4} />}
      <Loaded query={history}>
        {({ points }) =>
          points.length === 0 ? (
            <chakra.p color="fg.muted">{t('chart.none')}</chakra.p>
          ) : (
            <Chart bars={barsOf(points)} />
          )
        }
      </Loaded>
    </Panel>
  );
}

const minute = 60_000;

function Chart({ bars }: { bars: readonly HistoryBar[] }) {
  const { t } = useTranslation('delivery');
  const { dateTime, dayAndTime, number, secondOfDay, timeOfDay } = useFormat();
  const first = bars.at(0);
  const last = bars.at(-1);
  if (!first || !last) return null;
  const width = (last.at.getTime() - first.at.getTime()) / (bars.length - 1);
  // As short as tells one bar from the next.
  const day = (24 * 60 * minute) / barCount;
  const label = width < minute ? secondOfDay : width < day ? timeOfDay : dayAndTime;
  const { failed = 0, installed = 0, notYet = 0, onTheWay = 0 } = last.point ?? {};
  return (
    <BarChart
      title={t('chart.title')}
      description={t('chart.description', {
        from: dateTime(first.at.toISOString()),
        until: dateTime(last.at.toISOString()),
        installed: number(installed),
        onTheWay: number(onTheWay),
        failed: number(failed),
        notYet: number(notYet),
      })}
      series={deliveryParts.map(({ colour, name }) => ({ id: name, label: t(`parts.${name}`), colour }))}
      bars={bars.map(({ at, point }) => ({
        label: label(at),
        values: deliveryParts.map(({ name }) => point?.[name] ?? 0),
      }))}
      labelHeader={t('chart.time')}
      format={number}
      labelEvery={barCount / 3}
    />
  );
}
