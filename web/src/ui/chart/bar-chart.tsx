import { Box, chakra, Flex } from '@chakra-ui/react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../button.tsx';

export interface BarSeries {
  readonly id: string;
  readonly label: string;
  /** A colour of the theme that stands out from the panel. */
  readonly colour: string;
}

export interface Bar {
  /** Below the bar, e.g. a day. */
  readonly label: string;
  /** One value for each series, from the bottom up. */
  readonly values: readonly number[];
}

interface BarChartProps {
  /** What is shown, for screen readers and over the table. */
  title: string;
  /** The whole in one sentence, for those who do not see the bars. */
  description: string;
  series: readonly BarSeries[];
  bars: readonly Bar[];
  /** What a label says of a bar, over the column of labels. */
  labelHeader: string;
  format: (value: number) => string;
  /** The last bar has its label below it, and each so many before it: as many as have room. */
  labelEvery?: number;
}

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

/** Bars over time, each of one or more parts. The bar under the pointer is told in words; all of them stand in a table. */
export function BarChart({
  title,
  description,
  series,
  bars,
  labelHeader,
  format,
  labelEvery = 7,
}: BarChartProps) {
  const { t } = useTranslation('ui');
  const [asTable, setAsTable] = useState(false);
  return (
    <Box>
      <Flex justify="space-between" align="center" gap="3" wrap="wrap" mb="3" minH="7">
        <Legend series={series} />
        <Button
          size="xs"
          variant="ghost"
          colorPalette="gray"
          aria-pressed={asTable}
          onClick={() => setAsTable(!asTable)}
        >
          {t('chart.asTable')}
        </Button>
      </Flex>
      {asTable ? (
        <BarTable title={title} series={series} bars={bars} labelHeader={labelHeader} format={format} />
      ) : (
        <Bars
          title={title}
          description={description}
          series={series}
          bars={bars}
          format={format}
          labelEvery={labelEvery}
        />
      )}
    </Box>
  );
}

function Legend({ series }: Pick<BarChartProps, 'series'>) {
  if (series.length < 2) return <span />;
  return (
    <Flex gap="4" wrap="wrap" fontSize="xs" color="fg.muted">
      {series.map(({ colour, id, label }) => (
        <Flex key={id} align="center" gap="1.5">
          <Box boxSize="2.5" borderRadius="xs" bg={colour} />
          {label}
        </Flex>
      ))}
    </Flex>
  );
}

/** Heights are shares of the largest bar, whose value is written at the top of the scale. */
function Bars({
  title,
  description,
  series,
  bars,
  format,
  labelEvery,
}: Omit<BarChartProps, 'labelHeader'> & { labelEvery: number }) {
  const { t } = useTranslation('ui');
  const [pointed, setPointed] = useState<number>();
  const highest = Math.max(0, ...bars.map(({ values }) => sum(values)));
  const told = pointed === undefined ? undefined : bars[pointed];
  const isLabelled = (index: number) => (bars.length - 1 - index) % labelEvery === 0;
  return (
    <Box role="img" aria-label={`${title}: ${description}`}>
      <Flex aria-hidden fontSize="xs" color="fg.muted" justify="space-between" mb="1" gap="3" minH="5">
        <chakra.span fontVariantNumeric="tabular-nums">{format(highest)}</chakra.span>
        <chakra.span fontVariantNumeric="tabular-nums" textAlign="end">
          {told &&
            `${told.label}: ${
              series.length === 1
                ? format(sum(told.values))
                : series.map(({ label }, index) => `${label} ${format(told.values[index] ?? 0)}`).join(' / ')
            }`}
        </chakra.span>
      </Flex>
      <Flex
        aria-hidden
        align="flex-end"
        h="40"
        borderTopWidth="1px"
        borderBottomWidth="1px"
        borderTopStyle="dashed"
        position="relative"
        onPointerLeave={() => setPointed(undefined)}
      >
        {highest === 0 && (
          <chakra.span position="absolute" inset="0" display="grid" placeItems="center" color="fg.muted">
            {t('chart.nothing')}
          </chakra.span>
        )}
        {bars.map(({ label, values }, index) => (
          <Flex
            key={label}
            flex="1"
            minW="0"
            h="full"
            px="1px"
            direction="column-reverse"
            bg={pointed === index ? 'bg.muted' : undefined}
            onPointerEnter={() => setPointed(index)}
          >
            {values.map((value, part) => (
              <Box
                key={series[part]?.id ?? part}
                bg={series[part]?.colour}
                // What is not nothing can be seen, however little it is.
                style={{ height: `${(value / Math.max(1, highest)) * 100}%`, minHeight: value > 0 ? 2 : 0 }}
              />
            ))}
          </Flex>
        ))}
      </Flex>
      <Flex aria-hidden fontSize="xs" color="fg.muted" h="5" mt="1">
        {bars.map(({ label }, index) => (
          <Box key={label} flex="1" minW="0" position="relative">
            {isLabelled(index) && (
              <chakra.span
                position="absolute"
                whiteSpace="nowrap"
                {...(index === bars.length - 1
                  ? { insetEnd: '0' }
                  : { insetStart: '50%', transform: 'translateX(-50%)' })}
              >
                {label}
              </chakra.span>
            )}
          </Box>
        ))}
      </Flex>
    </Box>
  );
}

function BarTable({ title, series, bars, labelHeader, format }: Omit<BarChartProps, 'description'>) {
  return (
    <Box maxH="15.5rem" overflowY="auto" tabIndex={0} role="region" aria-label={title}>
      <chakra.table
        w="full"
        css={{
          '& th, & td': { py: '1', px: '2', borderBottomWidth: '1px', borderColor: 'border.muted' },
          '& th': { textAlign: 'start', fontWeight: 'medium' },
          '& thead th': {
            position: 'sticky',
            top: '0',
            bg: 'bg.panel',
            fontSize: 'xs',
            color: 'fg.muted',
          },
          '& [data-numeric]': { textAlign: 'end', fontVariantNumeric: 'tabular-nums' },
        }}
      >
        <caption hidden>{title}</caption>
        <thead>
          <tr>
            <th scope="col">{labelHeader}</th>
            {series.map(({ id, label }) => (
              <th key={id} scope="col" data-numeric="">
                {label}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {bars.toReversed().map(({ label, values }) => (
            <tr key={label}>
              <th scope="row">{label}</th>
              {series.map(({ id }, index) => (
                <td key={id} data-numeric="">
                  {format(values[index] ?? 0)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </chakra.table>
    </Box>
  );
}
