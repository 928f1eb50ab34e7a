import { Box, chakra, Flex, VisuallyHidden } from '@chakra-ui/react';
import { CircleAlert, CircleCheck, TriangleAlert, X } from 'lucide-react';
import { createContext, type ReactNode, use, useCallback, useMemo, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { useTranslation } from 'react-i18next';
import { Button, IconButton } from '../button.tsx';

const icons = { success: CircleCheck, warning: TriangleAlert, error: CircleAlert };

export interface Toast {
  readonly tone: keyof typeof icons;
  readonly message: string;
  /** What one may do about it. Pressing it leaves the focus where it is. */
  readonly action?: { readonly label: string; readonly onPress: () => void };
}

interface Announcer {
  /** Shows a message, a success for a moment and others until they are closed, and reads it out. @returns what closes it */
  toast(toast: Toast): () => void;
  /** Reads a message out without showing it. */
  announce(message: string): void;
  /** Has messages appear in an open modal dialog: what lies outside of it can be neither reached nor heard. @returns what ends it */
  appearIn(dialog: HTMLElement): () => void;
}

const AnnouncerContext = createContext<Announcer | undefined>(undefined);

/** Milliseconds that a success stays. */
const lifetime = 6000;

export function useAnnouncer(): Announcer {
  const announcer = use(AnnouncerContext);
  if (!announcer) throw new Error('AnnouncerProvider is missing');
  return announcer;
}

export function AnnouncerProvider({ children }: { children: ReactNode }) {
  const [toasts, setToasts] = useState<readonly (Toast & { id: number })[]>([]);
  const [spoken, setSpoken] = useState('');
  const [dialogs, setDialogs] = useState<readonly HTMLElement[]>([]);
  const nextId = useRef(0);

  const close = useCallback((id: number) => setToasts((all) => all.filter((one) => one.id !== id)), []);
  const announcer = useMemo<Announcer>(
    () => ({
      announce: setSpoken,
      toast(toast) {
        nextId.current += 1;
        const id = nextId.current;
        setToasts((all) => [...all.slice(-2), { ...toast, id }]);
        if (toast.tone === 'success') setTimeout(() => close(id), lifetime);
        return () => close(id);
      },
      appearIn(dialog) {
        setDialogs((all) => [...all, dialog]);
        return () => setDialogs((all) => all.filter((one) => one !== dialog));
      },
    }),
    [close],
  );

  const topmost = dialogs.at(-1);
  return (
    <AnnouncerContext value={announcer}>
      {children}
      <VisuallyHidden role="status" aria-live="polite">
        {spoken}
      </VisuallyHidden>
      {/* It stays where it is: a screen reader tells what comes into a region, not what a new one has in it. */}
      <Toasts toasts={topmost ? [] : toasts} onClose={close} />
      {topmost && createPortal(<Toasts toasts={toasts} onClose={close} />, topmost)}
    </AnnouncerContext>
  );
}

interface ToastsProps {
  toasts: readonly (Toast & { id: number })[];
  onClose: (id: number) => void;
}

function Toasts({ onClose, toasts }: ToastsProps) {
  const { t } = useTranslation('ui');
  return (
    <Box
      role="region"
      aria-label={t('toasts')}
      aria-live="polite"
      position="fixed"
      zIndex="toast"
      bottom="calc(1rem + var(--docked, 0px))"
      insetEnd="4"
      insetStart={{ base: '4', sm: 'auto' }}
      display="flex"
      flexDirection="column"
      gap="2"
      pointerEvents="none"
      _print={{ display: 'none' }}
    >
      {toasts.map(({ action, id, tone, message }) => (
        <Flex
          key={id}
          role={tone === 'error' ? 'alert' : undefined}
          align="center"
          gap="2.5"
          minW={{ sm: '20rem' }}
          maxW={{ sm: '32rem' }}
          ps="3"
          pe="1.5"
          py="1.5"
          bg="bg.panel"
          borderWidth="1px"
          borderRadius="md"
          boxShadow="lg"
          pointerEvents="auto"
        >
          <Box color={`fg.${tone}`} flexShrink="0">
            <ToastIcon tone={tone} />
          </Box>
          <chakra.p flex="1">{message}</chakra.p>
          {action && (
            <Button
              size="xs"
              variant="outline"
              onMouseDown={(event) => event.preventDefault()}
              onClick={action.onPress}
            >
              {action.label}
            </Button>
          )}
          <IconButton size="xs" label={t('close')} icon={<X />} onClick={() => onClose(id)} />
        </Flex>
      ))}
    </Box>
  );
}

function ToastIcon({ tone }: Pick<Toast, 'tone'>) {
  const Icon = icons[tone];
  return <Icon size={18} aria-hidden />;
}
