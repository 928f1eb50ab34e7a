import { Box, chakra, Flex, VisuallyHidden } from '@chakra-ui/react';
import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { createContext, type ReactNode, use, useCallback, useMemo, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { IconButton } from '../button.tsx';

export interface Toast {
  readonly tone: 'success' | 'error';
  readonly message: string;
}

interface Announcer {
  /** Shows a message for a moment (an error until it is closed) and reads it out. */
  toast(toast: Toast): void;
  /** Reads a message out without showing it. */
  announce(message: string): void;
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
  const { t } = useTranslation('ui');
  const [toasts, setToasts] = useState<readonly (Toast & { id: number })[]>([]);
  const [spoken, setSpoken] = useState('');
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
      },
    }),
    [close],
  );

  return (
    <AnnouncerContext value={announcer}>
      {children}
      <VisuallyHidden role="status" aria-live="polite">
        {spoken}
      </VisuallyHidden>
      <Box
        role="region"
        aria-label={t('toasts')}
        aria-live="polite"
        position="fixed"
        zIndex="toast"
        bottom="4"
        insetEnd="4"
        insetStart={{ base: '4', sm: 'auto' }}
        display="flex"
        flexDirection="column"
        gap="2"
        pointerEvents="none"
      >
        {toasts.map(({ id, tone, message }) => (
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
            <Box color={tone === 'error' ? 'fg.error' : 'fg.success'} flexShrink="0">
              {tone === 'error' ? (
                <CircleAlert size={18} aria-hidden />
              ) : (
                <CircleCheck size={18} aria-hidden />
              )}
            </Box>
            <chakra.p flex="1">{message}</chakra.p>
            <IconButton size="xs" label={t('close')} icon={<X />} onClick={() => close(id)} />
          </Flex>
        ))}
      </Box>
    </AnnouncerContext>
  );
}
