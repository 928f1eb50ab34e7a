import { chakra } from '@chakra-ui/react';

interface ChoiceLineProps {
  type: 'radio' | 'checkbox';
  name: string;
  label: string;
  help?: string;
  disabled?: boolean;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

/** One of several ways, with a line on what it means. */
export function ChoiceLine({
  type,
  name,
  label,
  help,
  disabled = false,
  checked,
  onChange,
}: ChoiceLineProps) {
  return (
    <chakra.label display="flex" alignItems="flex-start" gap="2.5" py="1" cursor="pointer">
      <chakra.input
        type={type}
        name={name}
        boxSize="4"
        flexShrink="0"
        mt="0.5"
        accentColor="accent.solid"
        checked={checked}
        disabled={disabled}
        onChange={({ target }) => onChange(target.checked)}
      />
      <span>
        {label}
        {help && (
          <chakra.span display="block" fontSize="xs" color="fg.muted">
            {help}
          </chakra.span>
        )}
      </span>
    </chakra.label>
  );
}
