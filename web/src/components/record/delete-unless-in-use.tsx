import { chakra } from '@chakra-ui/react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../lib/format.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/feedback/dialog.tsx';
import { Link } from '../../ui/link.tsx';
import { DeleteAny } from './delete-record.tsx';
import type { DeleteRecordProps, Named } from './record.ts';
import { useRecordLinks } from './use-record.ts';

interface DeleteUnlessInUseProps<R extends Named> extends DeleteRecordProps<R> {
  readonly isInUse: (row: R) => boolean;
  readonly texts: {
    readonly title: (count: number) => string;
    /** Why they cannot be deleted. */
    readonly text: string;
    /** What the button says that goes on with the others. */
    readonly others: (count: string) => string;
  };
  /** Links to what a record still has. */
  readonly waysOf: (row: R) => ReactNode;
}

/**
 * Asks before records are deleted. Those that still have something cannot be: that is told before, with the ways to it. Of all that a
 * filter matches, the server alone can tell.
 */
export function DeleteUnlessInUse<R extends Named>({
  chosen,
  isInUse,
  texts,
  waysOf,
  ...props
}: DeleteUnlessInUseProps<R>) {
  const { t } = useTranslation('ui');
  const { number } = useFormat();
  const { toDetail } = useRecordLinks(props.record);
  const [withoutThem, setWithoutThem] = useState(false);
  const inUse = chosen.matching === undefined ? chosen.rows.filter(isInUse) : [];
  const others = chosen.rows.filter((row) => !isInUse(row));
  if (inUse.length === 0 || withoutThem) {
    return (
      <DeleteAny
        {...props}
        chosen={withoutThem ? { rows: others, matching: undefined } : chosen}
        onClose={() => {
          setWithoutThem(false);
          props.onClose();
        }}
      />
    );
  }
  return (
    <Dialog
      open
      title={texts.title(inUse.length)}
      width="34rem"
      onClose={props.onClose}
      actions={
        <>
          <Button variant="outline" colorPalette="gray" onClick={props.onClose}>
            {t('close')}
          </Button>
          {others.length > 0 && (
            <Button colorPalette="danger" onClick={() => setWithoutThem(true)}>
              {texts.others(number(others.length))}
            </Button>
          )}
        </>
      }
    >
      {texts.text}
      <chakra.ul mt="3" maxH="20rem" overflowY="auto" borderWidth="1px" borderRadius="md" color="fg">
        {inUse.map((row) => (
          <chakra.li key={row.id} px="3" py="2" borderTopWidth="1px" _first={{ borderTopWidth: '0' }}>
            <Link
              to={toDetail(row)}
              display="inline-block"
              minH="6"
              fontWeight="medium"
              overflowWrap="anywhere"
            >
              {row.name}
            </Link>
            <chakra.span
              display="flex"
              gap="3"
              fontSize="xs"
              // Each is as high as a finger needs.
              css={{ '& a': { minH: '6', minW: '6' } }}
            >
              {waysOf(row)}
            </chakra.span>
          </chakra.li>
        ))}
      </chakra.ul>
    </Dialog>
  );
}
