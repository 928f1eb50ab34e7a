import { Box, chakra, Flex, Input, VisuallyHidden } from '@chakra-ui/react';
import { limits } from '@portal/contracts';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router-dom';
import type { palette } from '../../i18n/ja/palette.ts';
import { useSignedIn } from '../../lib/session/use-session.ts';
import { Button } from '../../ui/button.tsx';
import { Dialog } from '../../ui/feedback/dialog.tsx';
import { recentChoices, rememberChoice } from './recent.ts';
import { type Command, matching, useCommands } from './use-commands.ts';
import { useRecords } from './use-records.ts';

interface Part {
  readonly kind: keyof typeof palette.kinds;
  readonly commands: readonly Command[];
}

/**
 * The way by keyboard to every screen, action and record: a field with a list of what fits, by the combobox pattern. The focus
 * stays in the field, whose `aria-activedescendant` is the chosen line.
 */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation(['palette', 'shell', 'ui']);
  const session = useSignedIn();
  const navigate = useNavigate();
  const listId = useId();
  const [typed, setTyped] = useState('');
  const [active, setActive] = useState(0);
  const list = useRef<HTMLDivElement>(null);
  const { actions, screens } = useCommands(session);
  const { error, found, isSearching, retry } = useRecords(session, typed);

  const known = new Map([...screens, ...actions].map((command) => [command.id, command]));
  const [recent] = useState(() => recentChoices(session));
  const parts: readonly Part[] = [
    ...(typed.trim() === ''
      ? [{ kind: 'recent' as const, commands: recent.map((choice) => known.get(choice.id) ?? choice) }]
      : []),
    { kind: 'screens' as const, commands: matching(screens, typed) },
    { kind: 'actions' as const, commands: matching(actions, typed) },
    ...found,
  ].filter(({ commands }) => commands.length > 0);
  const lines = parts.flatMap(({ commands }) => commands);
  const at = Math.min(active, lines.length - 1);
  const lineId = (index: number) => `${listId}-${index}`;

  const field = useRef<HTMLInputElement>(null);
  // Once the dialog is open.
  useEffect(() => field.current?.focus(), []);

  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  });

  function choose(command: Command): void {
    onClose();
    if (command.run) return command.run();
    const { id, text, to } = command;
    if (to === undefined) return;
    rememberChoice(session, { id, text, to });
    void navigate(to);
  }

  function onKeyDown(event: KeyboardEvent): void {
    // The keys of an input method that is composing are its own.
    if (event.nativeEvent.isComposing) return;
    const chosen = lines[at];
    if (event.key === 'ArrowDown') setActive(at + 1 < lines.length ? at + 1 : 0);
    else if (event.key === 'ArrowUp') setActive(at > 0 ? at - 1 : lines.length - 1);
    else if (event.key === 'Enter' && chosen) choose(chosen);
    else if (event.key === 'Escape') onClose();
    else return;
    event.preventDefault();
  }

  let first = 0;
  return (
    <Dialog open onClose={onClose} title={t('shell:palette')} width="36rem">
      <Input
        ref={field}
        role="combobox"
        aria-label={t('label')}
        placeholder={t('label')}
        aria-expanded={lines.length > 0}
        aria-controls={listId}
        aria-autocomplete="list"
        aria-activedescendant={at >= 0 ? lineId(at) : undefined}
        autoComplete="off"
        spellCheck={false}
        maxLength={limits.searchMaxLength}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          setActive(0);
        }}
        onKeyDown={onKeyDown}
      />
      <Flex direction="column" mt="3" mx="-2" h="min(24rem, 50dvh)" color="fg" css={lineStyles}>
        <Box ref={list} id={listId} role="listbox" aria-label={t('results')} minH="0" overflowY="auto">
          {parts.map(({ commands, kind }) => {
            const from = first;
            first += commands.length;
            const headingId = `${listId}-${kind}`;
            return (
              <div key={kind} role="group" aria-labelledby={headingId}>
                <chakra.p id={headingId} px="2" pt="2" fontSize="xs" fontWeight="semibold" color="fg.muted">
                  {t(`kinds.${kind}`)}
                </chakra.p>
                {commands.map((command, index) => (
                  // The field has the focus and takes the keys.
                  <div
                    key={command.id}
                    id={lineId(from + index)}
                    role="option"
                    aria-selected={at === from + index}
                    onPointerMove={() => setActive(from + index)}
                    onPointerDown={(event) => event.preventDefault()}
                    onClick={() => choose(command)}
                  >
                    <chakra.span minW="0" truncate>
                      {command.text}
                    </chakra.span>
                    {command.hint && (
                      <chakra.span minW="0" fontSize="xs" color="fg.muted" truncate>
                        {command.hint}
                      </chakra.span>
                    )}
                  </div>
                ))}
              </div>
            );
          })}
        </Box>
        {error ? (
          <Flex role="alert" align="center" gap="3" px="2" py="3" wrap="wrap">
            <span>
              {t('failed')} {error.message}
            </span>
            <Button size="xs" variant="outline" onClick={retry}>
              {t('ui:retry')}
            </Button>
          </Flex>
        ) : (
          lines.length === 0 &&
          !isSearching && (
            <chakra.p px="2" py="6" textAlign="center" color="fg.muted" overflowWrap="anywhere">
              {t('nothing', { text: typed.trim() })}
            </chakra.p>
          )
        )}
      </Flex>
      <Flex justify="space-between" gap="3" mt="3" fontSize="xs">
        <chakra.span display={{ base: 'none', md: 'inline' }}>{t('help')}</chakra.span>
        <chakra.span role="status" ms="auto">
          {isSearching ? (
            t('searching')
          ) : (
            <VisuallyHidden>{t('found', { count: lines.length })}</VisuallyHidden>
          )}
        </chakra.span>
      </Flex>
    </Dialog>
  );
}

const lineStyles = {
  '& [role=option]': {
    display: 'flex',
    justifyContent: 'space-between',
    alignItems: 'center',
    gap: '4',
    minH: '9',
    px: '2',
    borderRadius: 'sm',
    cursor: 'pointer',
  },
  '& [role=option][aria-selected=true]': { bg: 'accent.subtle', color: 'accent.fg' },
} as const;
