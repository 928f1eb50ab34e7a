import { Pencil, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, ButtonLink, type ButtonProps, IconButton } from '../button.tsx';

interface RowActionProps {
  /** What is done. */
  action: string;
  /** With which row. */
  name: string;
  icon: ReactNode;
}

export function RowLink({ action, name, icon, to }: RowActionProps & { to: string }) {
  const { t } = useTranslation('ui');
  return (
    <ButtonLink
      to={to}
      size="xs"
      variant="ghost"
      colorPalette="gray"
      px="0"
      title={action}
      aria-label={t('actionOn', { action, name })}
      icon={icon}
    />
  );
}

export function RowButton({ action, name, ...props }: RowActionProps & Omit<ButtonProps, 'name'>) {
  const { t } = useTranslation('ui');
  return <IconButton size="xs" label={t('actionOn', { action, name })} {...props} />;
}

export function EditLink(row: { name: string; to: string }) {
  const { t } = useTranslation('ui');
  return <RowLink action={t('edit')} icon={<Pencil />} {...row} />;
}

export function DeleteButton(row: { name: string; onClick: () => void }) {
  const { t } = useTranslation('ui');
  return <RowButton action={t('delete')} icon={<Trash2 />} {...row} />;
}

/** Of all selected rows. */
export function BulkDeleteButton({ onClick }: { onClick: () => void }) {
  const { t } = useTranslation('ui');
  return (
    <Button size="xs" colorPalette="danger" variant="outline" icon={<Trash2 />} onClick={onClick}>
      {t('delete')}
    </Button>
  );
}
