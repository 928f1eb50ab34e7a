import { chakra, Flex } from '@chakra-ui/react';
import { X } from 'lucide-react';
import { type ReactNode, useEffect, useRef } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../../ui/button.tsx';

interface DrawerProps {
  open: boolean;
  label: string;
  onClose: () => void;
  children: ReactNode;
}

/** The navigation on narrow screens: a modal at the edge. */
export function Drawer({ open, label, onClose, children }: DrawerProps) {
  const { t } = useTranslation('ui');
  const dialog = useRef<HTMLDialogElement>(null);

  useEffect(() => {
    const element = dialog.current;
    if (!open || !element) return;
    element.showModal();
    return () => element.close();
  }, [open]);

  if (!open) return null;
  return (
    <chakra.dialog
      ref={dialog}
      aria-label={label}
      onCancel={onClose}
      onClick={(event) => {
        if (event.target === event.currentTarget) onClose();
      }}
      position="fixed"
      inset="0"
      m="0"
      p="3"
      w="min(18rem, 85vw)"
      h="100dvh"
      maxH="100dvh"
      bg="bg.panel"
      color="fg"
      borderEndWidth="1px"
      boxShadow="lg"
      css={{ '&::backdrop': { background: 'rgb(16 21 26 / 55%)' } }}
    >
      <Flex justify="flex-end" mb="2">
        <IconButton label={t('close')} icon={<X />} onClick={onClose} />
      </Flex>
      {children}
    </chakra.dialog>
  );
}
