import { chakra } from '@chakra-ui/react';
import { useTranslation } from 'react-i18next';
import { useFormat } from '../../../lib/format.ts';
import { usePartnerSession } from '../../../lib/session/use-session.ts';
import { Button, ButtonLink } from '../../../ui/button.tsx';
import { Dialog } from '../../../ui/feedback/dialog.tsx';
import { DescriptionList } from '../../../ui/page/description-list.tsx';
import { type Entry, isMovable, type MovableEntry, pageOf } from './entries.ts';

interface EntryDialogProps {
  entry: Entry;
  onClose: () => void;
  onMove: (entry: MovableEntry) => void;
}

/** What an entry is, the way to its page, and the way to another time. */
export function EntryDialog({ entry, onClose, onMove }: EntryDialogProps) {
  const { t } = useTranslation(['calendar', 'ui']);
  const { dateTimeWithZone } = useFormat();
  const { partner } = usePartnerSession();
  const { at, kind, title, version } = entry;
  const { label, to } = pageOf(entry, partner.name);
  const isPast = new Date(at) <= new Date();
  return (
    <Dialog
      open
      title={title}
      width="32rem"
      onClose={onClose}
      actions={
        <>
          <Button variant="outline" colorPalette="gray" onClick={onClose}>
            {t('ui:close')}
          </Button>
          <ButtonLink variant="outline" to={to}>
            {t(`open.${label}`)}
          </ButtonLink>
          {isMovable(entry) && <Button onClick={() => onMove(entry)}>{t('moveThis')}</Button>}
        </>
      }
    >
      <chakra.div mx="-5">
        <DescriptionList
          items={[
            { label: t('kind'), value: t(`kinds.${kind}`) },
            { label: t('at'), value: dateTimeWithZone(at) },
            ...(version === null ? [] : [{ label: t('file'), value: t('version', { version }) }]),
          ]}
        />
      </chakra.div>
      {!isMovable(entry) && (
        <chakra.p mt="2" fontSize="xs">
          {isPast ? t('notMovable.past') : t('notMovable.elsewhere')}
        </chakra.p>
      )}
    </Dialog>
  );
}
