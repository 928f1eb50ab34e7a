import { Box, chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { tiles } from '../../../../components/figure.tsx';
import { DeliveryBar } from '../../../../components/files/delivery-bar.tsx';
import {
  countOf,
  type DeliveryPart,
  deliveryParts,
  partsOf,
  statesOfPart,
} from '../../../../components/files/delivery-parts.ts';
import type { FileDetail } from '../../../../components/files/file.ts';
import { useFormat } from '../../../../lib/format.ts';
import { usePartnerSession } from '../../../../lib/session/use-session.ts';
import { PlainLink } from '../../../../ui/link.tsx';
import { Panel } from '../../../../ui/page/panel.tsx';
import type { Delivery } from './delivery.ts';
import { countedBy, devicesLink } from './device-links.ts';

interface FiguresProps {
  file: Pick<FileDetail, 'id'>;
  delivery: Delivery;
}

/** How many devices are how far, each number with the list behind it. */
export function DeliveryFigures({ delivery, file }: FiguresProps) {
  return (
    <Panel p={{ base: '4', md: '5' }}>
      <DeliveryBar alone delivery={partsOf(delivery)} />
      <Box {...tiles(4)} mt="4">
        {deliveryParts.map(({ colour, name }) => (
          <Figure key={name} part={name} colour={colour} file={file} delivery={delivery} />
        ))}
      </Box>
    </Panel>
  );
}

interface FigureProps extends FiguresProps {
  part: DeliveryPart;
  colour: string;
}

function Figure({ colour, delivery, file, part }: FigureProps) {
  const { t } = useTranslation(['delivery', 'files']);
  const { number, percent } = useFormat();
  const { partner } = usePartnerSession();
  const numbers = partsOf(delivery);
  const states = statesOfPart[part];
  const ofVersion = delivery.version === null ? {} : countedBy(delivery.version);
  const told = states
    .filter((state) => countOf(delivery, state) > 0)
    .map((state) => t('part', { state: t(`states.${state}`), count: number(countOf(delivery, state)) }))
    .join(t('files:becameOf.separator'));
  return (
    <chakra.div
      css={{
        '& > a': {
          display: 'block',
          h: 'full',
          px: '3',
          py: '2',
          borderStartWidth: '4px',
          borderColor: colour,
          borderRadius: 'sm',
          transition: 'background 120ms',
          _hover: { bg: 'bg.subtle' },
        },
      }}
    >
      <PlainLink to={devicesLink(file, partner.name, { ...ofVersion, status: states.join(',') })}>
        <chakra.span display="block" color="fg.muted" fontWeight="medium" wordBreak="auto-phrase">
          {t(`parts.${part}`)}
        </chakra.span>
        <chakra.strong
          fontSize="2xl"
          fontWeight="semibold"
          lineHeight="tight"
          fontVariantNumeric="tabular-nums"
        >
          {number(numbers[part])}
        </chakra.strong>
        <chakra.span ms="2" color="fg.muted" fontVariantNumeric="tabular-nums">
          {percent(numbers.devices === 0 ? 0 : numbers[part] / numbers.devices)}
        </chakra.span>
        <chakra.span
          display="block"
          fontSize="xs"
          color="fg.muted"
          minH="1lh"
          fontVariantNumeric="tabular-nums"
        >
          {states.length > 1 && told}
        </chakra.span>
      </PlainLink>
    </chakra.div>
  );
}
