import { Box, chakra } from '@chakra-ui/react';
import { useUnsavedWork } from '../lib/unsaved-work.ts';
import { Button } from '../ui/button.tsx';
import { CopyButton } from '../ui/copy-button.tsx';
import { Dialog } from '../ui/feedback/dialog.tsx';
import { Notice } from '../ui/feedback/notice.tsx';

interface ShownOnceDialogProps {
  title: string;
  text: string;
  /** What nobody can read again, and its name. */
  value: string;
  label: string;
  copyLabel: string;
  doneLabel: string;
  /** What is asked before the page is left with it. */
  leaving: { readonly title: string; readonly text: string; readonly leaveLabel: string };
  onClose: () => void;
}

/** A secret that was just made: it is shown here alone, so the dialog stays until it is closed on purpose. */
export function ShownOnceDialog({
  title,
  text,
  value,
  label,
  copyLabel,
  doneLabel,
  leaving,
  onClose,
}: ShownOnceDialogProps) {
  useUnsavedWork(
    () => true,
    () => ({ ...leaving, onLeave: () => undefined }),
  );
  return (
    <Dialog
      open
      persistent
      title={title}
      width="36rem"
      onClose={onClose}
      actions={<Button onClick={onClose}>{doneLabel}</Button>}
    >
      <Notice tone="warning">{text}</Notice>
      <Box my="4" p="4" bg="bg.subtle" borderWidth="1px" borderRadius="md" color="fg">
        <chakra.code aria-label={label} fontFamily="mono" overflowWrap="anywhere" userSelect="all">
          {value}
        </chakra.code>
      </Box>
      <CopyButton text={value} label={copyLabel} />
    </Dialog>
  );
}
