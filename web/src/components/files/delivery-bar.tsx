import { chakra, Flex } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import { deliveryParts } from './delivery-parts.ts';
import type { FileRow } from './file.ts';

interface DeliveryBarProps extends Pick<FileRow, 'delivery'> {
  /** As wide as its place, and without words, which stand beside it. */
  alone?: boolean;
  /** As wide as its place, with the words below. */
  wide?: boolean;
}

/** What has become of a file on its devices; of one that nobody is to have nothing. The words say what the colours do. */
export function DeliveryBar({ alone = false, delivery, wide = false }: DeliveryBarProps) {
  const { t } = useTranslation('files');
  const format = useFormat();
  if (delivery.devices === 0) return null;
  const told = deliveryParts
    .filter(({ name }) => delivery[name] > 0)
    .map(({ name }) => t(`becameOf.${name}`, { count: format.number(delivery[name]) }))
    .join(t('becameOf.separator'));
  return (
    <chakra.div {...(alone || wide ? {} : { mt: '1.5', maxW: '11rem' })}>
      <Flex
        h={alone || wide ? '3' : '1.5'}
        mb={wide ? '2' : undefined}
        gap="1px"
        borderRadius="full"
        overflow="hidden"
        aria-hidden
      >
        {deliveryParts.map(({ colour, name }) => (
          <chakra.span
            key={name}
            bg={colour}
            transition="flex-grow 400ms"
            // What is not nothing can be seen, however little it is.
            style={{ flexGrow: delivery[name], minWidth: delivery[name] > 0 ? 2 : 0 }}
          />
        ))}
      </Flex>
      {!alone && (
        <chakra.span fontSize="xs" color="fg.muted" fontVariantNumeric="tabular-nums">
          {told}
        </chakra.span>
      )}
    </chakra.div>
  );
}
