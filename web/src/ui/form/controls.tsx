import { chakra } from '@chakra-ui/react';
import type { ComponentProps } from 'react';

export interface Option {
  readonly value: string;
  readonly label: string;
}

const NativeSelect = chakra('select', {
  base: {
    appearance: 'none',
    w: 'full',
    bg: 'bg.panel',
    borderWidth: '1px',
    borderColor: 'border.control',
    borderRadius: 'l2',
    cursor: 'pointer',
    ps: '2.5',
    pe: '8',
    backgroundRepeat: 'no-repeat',
    backgroundPosition: 'right 0.5rem center',
    backgroundSize: '1rem',
    backgroundImage:
      "url(\"data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 24 24' fill='none' stroke='%237a8692' stroke-width='2'%3E%3Cpath d='m6 9 6 6 6-6'/%3E%3C/svg%3E\")",
    _focusVisible: {
      outline: '2px solid',
      outlineColor: 'accent.focusRing',
      outlineOffset: '-1px',
      borderColor: 'transparent',
    },
    _disabled: { opacity: '0.55', cursor: 'not-allowed' },
    '&[aria-invalid=true]': { borderColor: 'border.error' },
  },
  variants: {
    size: { xs: { h: '7', fontSize: 'xs' }, sm: { h: '9', fontSize: 'sm' } },
  },
  defaultVariants: { size: 'sm' },
});

export interface SelectProps extends ComponentProps<typeof NativeSelect> {
  options: readonly Option[];
}

export function Select({ options, ...props }: SelectProps) {
  return (
    <NativeSelect {...props}>
      {options.map(({ value, label }) => (
        <option key={value} value={value}>
          {label}
        </option>
      ))}
    </NativeSelect>
  );
}
