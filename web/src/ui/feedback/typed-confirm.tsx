import { chakra, Input } from '@chakra-ui/react';
import { type ReactNode, useId, useState } from 'react';
import { ConfirmDialog, type ConfirmDialogProps } from './confirm-dialog.tsx';

interface TypedConfirmProps extends Omit<ConfirmDialogProps, 'disabled' | 'open'> {
  /** What has to be typed, such as the name of what goes. */
  word: string;
  /** Asks for it. */
  typeLabel: ReactNode;
}

/** As people see it: without what a keyboard or a copy adds. */
const asRead = (text: string) => text.normalize('NFKC').replaceAll(/\s+/g, ' ').trim();

/** Asks before much is lost for good: who confirms it types what it is about. */
export function TypedConfirm({ children, typeLabel, word, ...dialog }: TypedConfirmProps) {
  const fieldId = useId();
  const [typed, setTyped] = useState('');
  const isTyped = asRead(typed) === asRead(word);
  return (
    <ConfirmDialog {...dialog} open disabled={!isTyped}>
      {children}
      <chakra.form
        mt="4"
        onSubmit={(event) => {
          event.preventDefault();
          if (isTyped && !dialog.pending) dialog.onConfirm();
        }}
      >
        <chakra.label htmlFor={fieldId} display="block" mb="1.5" color="fg" fontWeight="medium">
          {typeLabel}
        </chakra.label>
        <Input
          id={fieldId}
          autoComplete="off"
          spellCheck={false}
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
        />
      </chakra.form>
    </ConfirmDialog>
  );
}
