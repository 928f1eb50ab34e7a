import { chakra, Flex } from '@chakra-ui/react';
import { Check } from 'lucide-react';
import type { Option } from '../form/controls.tsx';

interface ToggleChipProps {
  label: string;
  isOn: boolean;
  onToggle: () => void;
}

/** Switches a filter on and off. */
export function ToggleChip({ isOn, label, onToggle }: ToggleChipProps) {
  return (
    <chakra.button
      type="button"
      aria-pressed={isOn}
      display="inline-flex"
      alignItems="center"
      gap="1"
      h="7"
      px="2.5"
      fontSize="xs"
      borderRadius="full"
      borderWidth="1px"
      cursor="pointer"
      bg={isOn ? 'accent.subtle' : undefined}
      color={isOn ? 'accent.fg' : 'fg.muted'}
      borderColor={isOn ? 'accent.fg' : 'border'}
      _hover={{ bg: isOn ? 'accent.muted' : 'bg.subtle' }}
      onClick={onToggle}
    >
      {isOn && <Check size={12} aria-hidden />}
      {label}
    </chakra.button>
  );
}

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
      {options.map((option) => (
        <ToggleChip
          key={option.value}
          label={option.label}
          isOn={inForce.includes(option.value)}
          onToggle={() => toggle(option.value)}
        />
      ))}
    </Flex>
  );
}
