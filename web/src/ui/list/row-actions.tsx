import { Spinner } from '@chakra-ui/react';
import { Ellipsis, Pencil, Trash2 } from 'lucide-react';
import { createContext, type ReactNode, use } from 'react';
import { useTranslation } from 'react-i18next';
import { Button, ButtonLink } from '../button.tsx';
import { PlainLink } from '../link.tsx';
import { MoreButton } from '../more-button.tsx';

/** Whether the actions of a row stand in words below each other instead of beside each other as icons. */
const InMenu = createContext(false);

interface RowMenuProps {
  /** Names the row. */
  name: string;
  children: ReactNode;
}

/** The actions of a row behind one button, where there is no room for more. */
export function RowMenu({ name, children }: RowMenuProps) {
  const { t } = useTranslation('ui');
  return (
    <MoreButton
      label={t('actionOn', { action: t('actions'), name })}
      icon={<Ellipsis />}
      size="sm"
      variant="ghost"
      colorPalette="gray"
    >
      {() => <InMenu value={true}>{children}</InMenu>}
    </MoreButton>
  );
}

const inWords = {
  size: 'sm',
  variant: 'ghost',
  colorPalette: 'gray',
  w: 'full',
  justifyContent: 'flex-start',
} as const;

interface RowActionProps {
  /** What is done. */
  action: string;
  /** With which row. */
  name: string;
  icon: ReactNode;
}

export function RowLink({ action, name, icon, to }: RowActionProps & { to: string }) {
  const { t } = useTranslation('ui');
  const label = t('actionOn', { action, name });
  if (use(InMenu)) {
    return (
      <ButtonLink to={to} {...inWords} aria-label={label} icon={icon}>
        {action}
      </ButtonLink>
    );
  }
  return (
    <PlainLink to={to} className="row-action" title={action} aria-label={label}>
      {icon}
    </PlainLink>
  );
}

interface RowButtonProps extends RowActionProps {
  disabled?: boolean;
  /** Work in flight: shows a spinner and ignores further presses without losing the focus. */
  pending?: boolean;
  onClick: () => void;
}

export function RowButton({ action, name, ...props }: RowButtonProps) {
  const { t } = useTranslation('ui');
  const label = t('actionOn', { action, name });
  if (use(InMenu)) {
    return (
      <Button {...inWords} aria-label={label} {...props}>
        {action}
      </Button>
    );
  }
  const { disabled, icon, onClick, pending = false } = props;
  return (
    <button
      type="button"
      className="row-action"
      title={label}
      aria-label={label}
      disabled={disabled}
      aria-disabled={pending || undefined}
      aria-busy={pending || undefined}
      onClick={() => pending || onClick()}
    >
      {pending ? <Spinner size="xs" /> : icon}
    </button>
  );
}

export function EditLink(row: { name: string; to: string }) {
  const { t } = useTranslation('ui');
  return <RowLink action={t('edit')} icon={<Pencil />} {...row} />;
}

export function DeleteButton(row: { name: string; onClick: () => void }) {
  const { t } = useTranslation('ui');
  return <RowButton action={t('delete')} icon={<Trash2 />} {...row} />;
}
