import { chakra, Flex } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import type { FileRow } from './file.ts';

const parts = [
  { name: 'installed', colour: 'success.solid' },
  { name: 'onTheWay', colour: 'accent.solid' },
  { name: 'failed', colour: 'danger.solid' },
  { name: 'notYet', colour: 'bg.emphasized' },
] as const;

/** What has become of a file on its devices; of one that nobody is to have nothing. The words say what the colours do. */
export function DeliveryBar({ delivery }: Pick<FileRow, 'delivery'>) {
  const { t } = useTranslation('files');
  const format = useFormat();
  if (delivery.devices === 0) return null;
  const told = parts
    .filter(({ name }) => delivery[name] > 0)
    .map(({ name }) => t(`becameOf.${name}`, { count: format.number(delivery[name]) }))
    .join(t('becameOf.separator'));
  return (
    <chakra.div mt="1.5" maxW="11rem">
      <Flex h="1.5" gap="1px" borderRadius="full" overflow="hidden" aria-hidden>
        {parts.map(({ colour, name }) => (
          <chakra.span key={name} bg={colour} style={{ flexGrow: delivery[name] }} />
        ))}
      </Flex>
      <chakra.span fontSize="xs" color="fg.muted" fontVariantNumeric="tabular-nums">
        {told}
      </chakra.span>
    </chakra.div>
  );
}
