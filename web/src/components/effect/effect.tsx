import { chakra, Flex, Stack } from '@chakra-ui/react';
import { CircleMinus, CirclePlus, RefreshCw } from 'lucide-react';
import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import { NameList } from '../../ui/feedback/name-list.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';

interface Share {
  readonly users: number;
  readonly devices: number;
  /** Of the first people, in their order. */
  readonly names: readonly string[];
}

/** What a change of a file does to people and their devices. */
export interface ShownEffect {
  readonly gains: Share;
  readonly loses: Share;
  readonly changes: Share;
  /** What devices will fetch, in bytes. */
  readonly bytes: number;
  readonly collisions?: readonly { readonly kind: string; readonly message: string }[];
}

const kinds = [
  { kind: 'gains', Icon: CirclePlus, color: 'fg.success' },
  { kind: 'loses', Icon: CircleMinus, color: 'fg.error' },
  { kind: 'changes', Icon: RefreshCw, color: 'fg.info' },
] as const;

/** The same in one line, as of one of several files. */
export function useEffectText(): (effect: ShownEffect) => string {
  const { t } = useTranslation('effect');
  const { number } = useFormat();
  return (effect) => {
    const felt = kinds.filter(({ kind }) => isFelt(effect[kind]));
    const said = felt.map(({ kind }) => {
      const { devices, users } = effect[kind];
      return `${t(kind)}: ${t('users', { count: users })} ${t('devices', { devices: number(devices), count: devices })}`;
    });
    return said.length === 0 ? t('nobodyShort') : said.join(t('separator'));
  };
}

const isFelt = ({ devices, users }: Share) => users > 0 || devices > 0;

const peopleOf = (effect: ShownEffect) => kinds.map(({ kind }) => [effect[kind].users, effect[kind].names]);

/** Whether the same people gain, lose and change it. A device more or less of theirs is no other effect. */
export const hasSameEffect = (one: ShownEffect, other: ShownEffect): boolean =>
  JSON.stringify(peopleOf(one)) === JSON.stringify(peopleOf(other));

/** Who gets a file by a change, who loses it, who gets another version of it; and what collides with it. */
export function Effect({ effect, title }: { effect: ShownEffect; title?: string | undefined }) {
  const { t } = useTranslation('effect');
  const { fileSize } = useFormat();
  const titleId = useId();
  const felt = kinds.filter(({ kind }) => isFelt(effect[kind]));
  const { bytes, collisions = [] } = effect;
  return (
    <Stack gap="3" color="fg">
      <chakra.div
        role="group"
        aria-labelledby={titleId}
        borderWidth="1px"
        borderRadius="md"
        bg="bg.subtle"
        px="4"
        py="3"
      >
        <chakra.p id={titleId} fontWeight="semibold">
          {title ?? t('title')}
        </chakra.p>
        {felt.length === 0 && <chakra.p mt="1">{t('nobody')}</chakra.p>}
        {felt.length > 0 && (
          <chakra.ul mt="1" listStyleType="none">
            {felt.map(({ kind, Icon, color }) => (
              <chakra.li key={kind} py="1">
                <Flex gap="2">
                  <chakra.span color={color} flexShrink="0" pt="0.5">
                    <Icon size={16} aria-hidden />
                  </chakra.span>
                  <ShareLine kind={kind} share={effect[kind]} />
                </Flex>
              </chakra.li>
            ))}
          </chakra.ul>
        )}
        {bytes > 0 && (
          <chakra.p mt="1" fontSize="xs" color="fg.muted" fontVariantNumeric="tabular-nums">
            {t('bytes', { size: fileSize(bytes) })}
          </chakra.p>
        )}
      </chakra.div>
      {collisions.map(({ kind, message }) => (
        <Notice key={`${kind} ${message}`} tone="warning">
          {message}
        </Notice>
      ))}
    </Stack>
  );
}

function ShareLine({ kind, share }: { kind: (typeof kinds)[number]['kind']; share: Share }) {
  const { t } = useTranslation('effect');
  const { number } = useFormat();
  const { devices, names, users } = share;
  const left = users - names.length;
  const all = left > 0 ? [...names, t('more', { count: left })] : names;
  return (
    <chakra.div flex="1" minW="0" overflowWrap="anywhere">
      <chakra.p fontVariantNumeric="tabular-nums">
        {t(kind)}: <strong>{t('users', { count: users })}</strong>{' '}
        {t('devices', { devices: number(devices), count: devices })}
      </chakra.p>
      {names.length > 0 && (
        <details>
          <chakra.summary cursor="pointer" fontSize="xs" color="fg.muted" minH="6">
            {t('names')}
          </chakra.summary>
          <NameList label={`${t(kind)}: ${t('names')}`} names={all} />
        </details>
      )}
    </chakra.div>
  );
}
