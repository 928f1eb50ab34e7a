import { Box, chakra, Input, VisuallyHidden } from '@chakra-ui/react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { Controller, useFormContext } from 'react-hook-form';
import { useTranslation } from 'react-i18next';
import { useLanguage } from '../../lib/i18n.ts';
import { messageIn } from '../../lib/shown-message.ts';
import { type ControlProps, Field, type FieldProps } from './field.tsx';

type Id = number | string;

export interface Choice<I extends Id = number> {
  readonly id: I;
  readonly name: string;
  /** What one knows it by besides. */
  readonly hint?: string | undefined;
}

/** Where the choices come from; both are hooks. */
export interface ChoiceSource<I extends Id = number> {
  /** Those found for what is typed; nothing typed finds the first of all. Asked only while the field is open. */
  readonly useFound: (
    typed: string,
    isOpen: boolean,
  ) => {
    readonly choices: readonly Choice<I>[];
    readonly isSearching: boolean;
    readonly error: { readonly message: string } | null | undefined;
  };
  /** The name of the one that is chosen. */
  readonly useNameOf: (id: I) => string | undefined;
}

interface ComboboxFieldProps<I extends Id> extends FieldProps {
  source: ChoiceSource<I>;
  /** What stands for none. */
  none: I;
  /** What it is called when none is chosen. */
  noneLabel: string;
}

/** One of so many that one looks for it by name. The form's value is its id. */
export function ComboboxField<I extends Id>({ source, none, noneLabel, ...field }: ComboboxFieldProps<I>) {
  const { control } = useFormContext();
  return (
    <Field {...field}>
      {(attributes) => (
        <Controller
          control={control}
          name={field.name}
          render={({ field: { onBlur, onChange, value } }) => (
            <Combobox
              attributes={attributes}
              label={field.label}
              source={source}
              none={none}
              noneLabel={noneLabel}
              mayBeNone={!field.required}
              value={value}
              onChange={onChange}
              onBlur={onBlur}
            />
          )}
        />
      )}
    </Field>
  );
}

interface ComboboxProps<I extends Id> {
  attributes: ControlProps;
  label: string;
  source: ChoiceSource<I>;
  none: I;
  noneLabel: string;
  mayBeNone: boolean;
  value: I;
  onChange: (id: I) => void;
  onBlur: () => void;
}

function Combobox<I extends Id>({
  attributes,
  label,
  source,
  none,
  noneLabel,
  mayBeNone,
  value,
  onChange,
  onBlur,
}: ComboboxProps<I>) {
  const { t } = useTranslation('ui');
  const language = useLanguage();
  const listId = useId();
  const list = useRef<HTMLDivElement>(null);
  /** What somebody types; undefined while the chosen one is shown. */
  const [typed, setTyped] = useState<string>();
  const [isOpen, setIsOpen] = useState(false);
  const [active, setActive] = useState(0);
  const nameOfChosen = source.useNameOf(value);
  const wanted = typed?.trim() ?? '';
  const { choices: found, error, isSearching } = source.useFound(wanted, isOpen);
  const noChoice: readonly Choice<I>[] = mayBeNone && wanted === '' ? [{ id: none, name: noneLabel }] : [];
  const choices = [...noChoice, ...found];
  const at = isOpen ? Math.min(active, choices.length - 1) : -1;
  const lineId = (index: number) => `${listId}-${index}`;

  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  });

  function open(): void {
    if (isOpen) return;
    setActive(0);
    setIsOpen(true);
  }

  function close(): void {
    setIsOpen(false);
    setTyped(undefined);
  }

  function choose({ id }: Choice<I>): void {
    onChange(id);
    close();
  }

  function onKeyDown(event: KeyboardEvent): void {
    // The keys of an input method that is composing are its own.
    if (event.nativeEvent.isComposing) return;
    const chosen = choices[at];
    if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      if (!isOpen) open();
      else if (event.key === 'ArrowDown') setActive(at + 1 < choices.length ? at + 1 : 0);
      else setActive(at > 0 ? at - 1 : choices.length - 1);
    } else if (event.key === 'Enter' && isOpen) {
      if (chosen) choose(chosen);
    } else if (event.key === 'Escape' && isOpen) close();
    else return;
    event.preventDefault();
  }

  return (
    <Box position="relative" maxW="30rem">
      <Input
        {...attributes}
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={isOpen ? listId : undefined}
        aria-autocomplete="list"
        aria-activedescendant={at >= 0 ? lineId(at) : undefined}
        autoComplete="off"
        spellCheck={false}
        maxLength={255}
        placeholder={noneLabel}
        value={typed ?? (value === none ? '' : (nameOfChosen ?? ''))}
        onChange={({ target }) => {
          setTyped(target.value);
          setActive(0);
          setIsOpen(true);
        }}
        onClick={open}
        onKeyDown={onKeyDown}
        onBlur={() => {
          // Who has emptied the field and goes on wants none.
          if (typed === '' && mayBeNone) onChange(none);
          close();
          onBlur();
        }}
      />
      {isOpen && (
        <Box css={panelStyles}>
          <div ref={list} id={listId} role="listbox" aria-label={label}>
            {choices.map((choice, index) => (
              // The field has the focus and takes the keys.
              <div
                key={choice.id}
                id={lineId(index)}
                role="option"
                aria-selected={at === index}
                onPointerMove={() => setActive(index)}
                onPointerDown={(event) => event.preventDefault()}
                onClick={() => choose(choice)}
              >
                <chakra.span
                  minW="0"
                  overflowWrap="anywhere"
                  color={choice.id === none ? 'fg.muted' : undefined}
                >
                  {choice.name}
                </chakra.span>
                {choice.hint && (
                  <chakra.span fontSize="xs" color="fg.muted">
                    {choice.hint}
                  </chakra.span>
                )}
              </div>
            ))}
          </div>
          {error && (
            <chakra.p role="alert" px="3" py="2">
              {messageIn(language, error.message)}
            </chakra.p>
          )}
          {!error && !isSearching && found.length === 0 && (
            <chakra.p px="3" py="2" color="fg.muted">
              {t('combobox.nothing')}
            </chakra.p>
          )}
        </Box>
      )}
      <VisuallyHidden role="status">
        {isOpen && (isSearching ? t('combobox.searching') : t('combobox.found', { count: found.length }))}
      </VisuallyHidden>
    </Box>
  );
}

const panelStyles = {
  position: 'absolute',
  insetInline: '0',
  top: 'calc(100% + 0.25rem)',
  zIndex: 'popup',
  bg: 'bg.panel',
  borderWidth: '1px',
  borderRadius: 'md',
  boxShadow: 'lg',
  // The list itself scrolls: the keys of its field move through it.
  '& [role=listbox]': { maxH: '18rem', overflowY: 'auto', py: '1' },
  '& [role=option]': {
    display: 'flex',
    justifyContent: 'space-between',
    alignItems: 'center',
    gap: '4',
    minH: '9',
    px: '3',
    cursor: 'pointer',
  },
  '& [role=option][aria-selected=true]': { bg: 'accent.subtle', color: 'accent.fg' },
} as const;
