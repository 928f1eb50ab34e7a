import { chakra } from '@chakra-ui/react';
import { Search } from 'lucide-react';
import { lazy, Suspense, useLayoutEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { loadTexts } from '../../lib/i18n.ts';
import { Button } from '../../ui/button.tsx';
import { onDark } from '../../ui/on-dark.ts';

const load = async () => {
  const [{ CommandPalette }] = await Promise.all([import('./command-palette.tsx'), loadTexts(['palette'])]);
  return { default: CommandPalette };
};
const CommandPalette = lazy(load);

const keys = /Mac|iP(hone|ad)/.test(navigator.userAgent) ? '⌘ K' : 'Ctrl K';

/** Opens the palette, as Ctrl K does, on a Mac ⌘ K. Its code loads when it is pointed at or opened. */
export function PaletteButton() {
  const { t } = useTranslation('shell');
  const [isOpen, setIsOpen] = useState(false);

  // Before the page is painted: a key that is pressed as soon as it is seen is heard.
  useLayoutEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (!(event.ctrlKey || event.metaKey) || event.altKey || event.shiftKey) return;
      // A dialog asks something that comes first.
      if (event.key.toLowerCase() !== 'k' || document.querySelector('dialog[open]')) return;
      event.preventDefault();
      setIsOpen(true);
    };
    window.addEventListener('keydown', onKey);
    return () => window.removeEventListener('keydown', onKey);
  }, []);

  return (
    <>
      <Button
        {...onDark}
        size="xs"
        variant="ghost"
        aria-haspopup="dialog"
        aria-keyshortcuts="Control+K Meta+K"
        aria-label={`${t('palette')} ${keys}`}
        title={t('palette')}
        icon={<Search />}
        onPointerEnter={() => void load().catch(() => undefined)}
        onClick={() => setIsOpen(true)}
      >
        <chakra.kbd display={{ base: 'none', md: 'inline' }} fontFamily="inherit" fontWeight="normal">
          {keys}
        </chakra.kbd>
      </Button>
      {isOpen && (
        <Suspense fallback={null}>
          <CommandPalette onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}
