import { chakra, Flex } from '@chakra-ui/react';
import { Check } from 'lucide-react';
import type { Option } from '../form/controls.tsx';

interface FilterChipsProps {
  /** What is filtered by. */
  label: string;
  options: readonly Option[];
  /** Those in force, by comma; empty for all. */
  value: string;
  onChange: (value: string) => void;
}

/** A filter of a few values, of which several may be in force: each is switched on and off with one click. */
export function FilterChips({ label, onChange, options, value }: FilterChipsProps) {
  const inForce = value === '' ? [] : value.split(',');
  const toggle = (one: string) =>
    onChange(
      options
        .map((option) => option.value)
        .filter((known) => inForce.includes(known) !== (known === one))
        .join(','),
    );
  return (
    <Flex role="group" aria-label={label} gap="1.5" wrap="wrap" align="center">
      {options.map((option) => {
        const on = inForce.includes(option.value);
        return (
          <chakra.button
            key={option.value}
            type="button"
            aria-pressed={on}
            display="inline-flex"
            alignItems="center"
            gap="1"
            h="7"
            px="2.5"
            fontSize="xs"
            borderRadius="full"
            borderWidth="1px"
            cursor="pointer"
            bg={on ? 'accent.subtle' : undefined}
            color={on ? 'accent.fg' : 'fg.muted'}
            borderColor={on ? 'accent.fg' : 'border'}
            _hover={{ bg: on ? 'accent.muted' : 'bg.subtle' }}
            onClick={() => toggle(option.value)}
          >
            {on && <Check size={12} aria-hidden />}
            {option.label}
          </chakra.button>
        );
      })}
    </Flex>
  );
}
