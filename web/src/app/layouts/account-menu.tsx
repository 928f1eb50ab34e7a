import { Box, chakra, Stack } from '@chakra-ui/react';
import { ChevronDown, KeyRound, LogOut, ShieldCheck, UserRound } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { accountPath } from '../../components/account-paths.ts';
import { LookChoices } from '../../components/look-choices.tsx';
import type { Session } from '../../lib/session/session-store.ts';
import { Button, ButtonLink } from '../../ui/button.tsx';
import { onDark } from '../../ui/on-dark.ts';
import { usePopup } from '../../ui/use-popup.ts';
import { LogoutButton } from './logout-button.tsx';

/** Who is signed in, and for which company. */
export function namesOf(session: Session): { person: string; login: string; company?: string } {
  return session.kind === 'admin'
    ? { person: session.name, login: session.email }
    : { person: session.user.name, login: session.user.email, company: session.partner.name };
}

const wide = { w: 'full', justifyContent: 'flex-start', variant: 'ghost', colorPalette: 'gray' } as const;

/** What one sees to for oneself, behind one's name. */
export function AccountMenu({ session }: { session: Session }) {
  const { t } = useTranslation('shell');
  const { button, close, isOpen, panelId, whole } = usePopup();
  const { company, login, person } = namesOf(session);
  return (
    <chakra.div {...whole} position="relative" minW="0">
      <Button
        {...button}
        {...onDark}
        size="xs"
        variant="ghost"
        maxW={{ base: '11', md: '16rem' }}
        aria-label={t('accountOf', { name: person })}
        icon={<UserRound />}
      >
        <chakra.span display={{ base: 'none', md: 'inline' }} truncate>
          {person}
        </chakra.span>
        <ChevronDown />
      </Button>
      {isOpen && (
        <chakra.div
          id={panelId}
          role="group"
          aria-label={t('account')}
          position="absolute"
          zIndex="toast"
          insetEnd="0"
          mt="1"
          w="min(19rem, calc(100vw - 1.5rem))"
          bg="bg.panel"
          color="fg"
          borderWidth="1px"
          borderRadius="md"
          boxShadow="lg"
          css={{ '& > div + div': { borderTopWidth: '1px' } }}
        >
          <Box px="4" py="3" overflowWrap="anywhere">
            <chakra.p fontWeight="semibold">{person}</chakra.p>
            <chakra.p fontSize="xs" color="fg.muted">
              {login}
            </chakra.p>
            {company && (
              <chakra.p fontSize="xs" color="fg.muted">
                {company}
              </chakra.p>
            )}
          </Box>
          <Stack gap="3" px="4" py="3">
            <LookChoices />
          </Stack>
          <Box p="1">
            <ButtonLink {...wide} to={accountPath(session.kind)} icon={<ShieldCheck />} onClick={close}>
              {t('accountPage')}
            </ButtonLink>
            <ButtonLink {...wide} to={`/${session.kind}/password/update`} icon={<KeyRound />} onClick={close}>
              {t('changePassword')}
            </ButtonLink>
          </Box>
          <Box p="1">
            <LogoutButton {...wide} icon={<LogOut />} onStay={close} />
          </Box>
        </chakra.div>
      )}
    </chakra.div>
  );
}
