import { chakra } from '@chakra-ui/react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Button } from '../button.tsx';
import { Notice } from '../feedback/notice.tsx';
import { ActionBar } from '../form/action-bar.tsx';
import { type DescriptionItem, DescriptionList } from '../page/description-list.tsx';
import { type Crumb, PageHeader } from '../page/page-header.tsx';
import { Panel } from '../page/panel.tsx';

interface ConfirmPageProps {
  title: string;
  /** Unless told, that nothing is saved yet. */
  lead?: string;
  crumbs: readonly Crumb[];
  items: readonly DescriptionItem[];
  /** What is to be known before. */
  warning?: ReactNode;
  /** What follows from it. */
  children?: ReactNode;
  /** Something is to be known first. */
  disabled?: boolean;
  /** It cannot be done as it stands; the warning says why. */
  refused?: boolean;
  /** What the button does. */
  submitLabel: string;
  pending: boolean;
  onSubmit: () => void;
  onBack: () => void;
}

export function ConfirmPage({
  title,
  lead,
  crumbs,
  items,
  warning,
  children,
  disabled = false,
  refused = false,
  submitLabel,
  pending,
  onSubmit,
  onBack,
}: ConfirmPageProps) {
  const { t } = useTranslation('ui');
  return (
    <>
      <PageHeader title={title} crumbs={crumbs} lead={lead ?? t('confirmLead')} />
      <chakra.div maxW="form">
        <Panel overflow="hidden">
          <DescriptionList items={items} />
        </Panel>
        {children}
        {warning && (
          <chakra.div mt="4">
            <Notice tone={refused ? 'error' : 'warning'}>{warning}</Notice>
          </chakra.div>
        )}
        <chakra.div mt="5">
          <ActionBar>
            <Button size="md" minW="8rem" pending={pending} disabled={refused || disabled} onClick={onSubmit}>
              {submitLabel}
            </Button>
            <Button size="md" variant="outline" colorPalette="gray" disabled={pending} onClick={onBack}>
              {t('backToForm')}
            </Button>
          </ActionBar>
        </chakra.div>
      </chakra.div>
    </>
  );
}
