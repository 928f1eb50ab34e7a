import { chakra, Flex } from '@chakra-ui/react';
import { Languages, Moon, Sun } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { useColourMode } from '../../lib/appearance.ts';
import { choose } from '../../lib/choices.ts';
import { useLanguage } from '../../lib/i18n.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { PlainLink } from '../../ui/link.tsx';
import { onDark } from '../../ui/on-dark.ts';

export function Brand({ to }: { to: string }) {
  const { t } = useTranslation('ui');
  return (
    <chakra.span
      asChild
      display="inline-flex"
      alignItems="center"
      gap="2.5"
      color="white"
      fontSize="md"
      fontWeight="bold"
      letterSpacing="0.01em"
      whiteSpace="nowrap"
    >
      <PlainLink to={to}>
        <Logo />
        {t('product')}
      </PlainLink>
    </chakra.span>
  );
}

/** The same as `public/logo.svg`, without a request of its own. */
function Logo() {
  const line = {
    fill: 'none',
    stroke: '#a9cdf2',
    strokeWidth: 2,
    strokeLinejoin: 'round',
    strokeLinecap: 'round',
  } as const;
  return (
    <svg aria-hidden viewBox="0 0 32 32" width={26} height={26}>
      <rect width="32" height="32" rx="7" fill="#1f5fa8" />
      <path d="M8 20.5 16 25l8-4.5M8 15.5 16 20l8-4.5" {...line} />
      <path d="m16 6 8 4.5-8 4.5-8-4.5z" fill="#fff" stroke="#fff" strokeWidth={2} strokeLinejoin="round" />
    </svg>
  );
}

/** Language and colours: there before and after the sign-in. */
export function Preferences() {
  const { t } = useTranslation('shell');
  const language = useLanguage();
  const mode = useColourMode();
  const other = language === 'ja' ? 'en' : 'ja';
  return (
    <Flex align="center" gap="0.5">
      <Button
        size="xs"
        variant="ghost"
        {...onDark}
        lang={other}
        icon={<Languages />}
        onClick={() => choose({ language: other })}
      >
        {t('switchTo')}
      </Button>
      <IconButton
        size="xs"
        {...onDark}
        label={mode === 'dark' ? t('light') : t('dark')}
        icon={mode === 'dark' ? <Sun /> : <Moon />}
        onClick={() => choose({ appearance: mode === 'dark' ? 'light' : 'dark' })}
      />
    </Flex>
  );
}

export function SkipLink() {
  const { t } = useTranslation('shell');
  return (
    <chakra.a
      href="#main"
      position="fixed"
      top="2"
      insetStart="2"
      zIndex="toast"
      px="3"
      py="2"
      bg="bg.panel"
      color="fg"
      borderRadius="md"
      boxShadow="md"
      transform="translateY(-200%)"
      _focus={{ transform: 'none' }}
      // Above a sheet of paper is the one before.
      _print={{ display: 'none' }}
      onClick={(event) => {
        event.preventDefault();
        document.getElementById('main')?.focus();
      }}
    >
      {t('skip')}
    </chakra.a>
  );
}

export function Footer() {
  const { t } = useTranslation('ui');
  return (
    <chakra.footer
      py="4"
      px={{ base: '4', md: '8' }}
      fontSize="xs"
      color="fg.muted"
      // A list that turns out shorter than what stood in its place would move it.
      css={{ 'main:has([aria-busy=true]:not([data-stale])) + &': { display: 'none' } }}
    >
      © 2018-2023 {t('product')}
    </chakra.footer>
  );
}
