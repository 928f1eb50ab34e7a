import { chakra, Flex } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

export interface DescriptionItem {
  readonly label: string;
  readonly value: ReactNode;
  /** The value before, where it differs: the item is marked as changed. */
  readonly before?: ReactNode;
  /** Marks a change of which there is no value before to show. */
  readonly changed?: boolean;
}

/** Facts by name. Changed ones are marked in words and show what they replace. */
export function DescriptionList({ items }: { items: readonly DescriptionItem[] }) {
  const { t } = useTranslation('ui');
  return (
    <chakra.dl
      css={{
        '& > div': {
          display: 'grid',
          // In a narrow place the names give way before the values do.
          gridTemplateColumns: { base: '1fr', md: 'minmax(0, 12rem) minmax(8rem, 1fr)' },
          columnGap: '6',
          rowGap: '0.5',
          px: '5',
          py: '3',
          borderBottomWidth: '1px',
          borderColor: 'border.muted',
        },
        '& > div:last-of-type': { borderBottomWidth: '0' },
        '& > div[data-changed]': { bg: 'bg.warning' },
        '& dt': { color: 'fg.muted', fontWeight: 'medium', overflowWrap: 'anywhere' },
        '& dd': { overflowWrap: 'anywhere', whiteSpace: 'pre-wrap' },
        '& dd *': { overflowWrap: 'inherit' },
        '& del, & dd[data-before]': { color: 'fg.muted', fontSize: 'xs' },
      }}
    >
      {items.map(({ label, value, before, changed = before !== undefined }) => (
        <div key={label} data-changed={changed ? '' : undefined}>
          <dt>{label}</dt>
          <dd>
            {value}
            {changed && (
              <Flex mt="1" columnGap="2" wrap="wrap" fontSize="xs" color="fg.muted">
                <chakra.strong color="fg.warning">{t('changed')}</chakra.strong>
                {before !== undefined && (
                  <>
                    {t('before')}: <del>{before}</del>
                  </>
                )}
              </Flex>
            )}
          </dd>
        </div>
      ))}
    </chakra.dl>
  );
}

/** An item that is marked when `value` differs from `before`; `shown` is how a value is written. */
export function changedItem<T>(
  label: string,
  value: T,
  before: T | undefined,
  shown: (value: T) => ReactNode,
): DescriptionItem {
  const same = before === undefined || JSON.stringify(value) === JSON.stringify(before);
  return { label, value: shown(value), ...(same ? {} : { before: shown(before) }) };
}
