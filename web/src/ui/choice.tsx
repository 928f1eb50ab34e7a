import { chakra } from '@chakra-ui/react';
import { useId } from 'react';

interface ChoiceProps<V extends string> {
  legend: string;
  options: readonly { readonly value: V; readonly label: string; readonly lang?: string }[];
  value: V;
  onChoose: (value: V) => void;
}

/** One of a few, beside each other, that takes effect at once. */
export function Choice<V extends string>({ legend, options, value, onChoose }: ChoiceProps<V>) {
  const name = useId();
  return (
    <chakra.fieldset>
      <chakra.legend mb="1" fontSize="xs" color="fg.muted">
        {legend}
      </chakra.legend>
      <chakra.div
        display="flex"
        p="0.5"
        gap="0.5"
        bg="bg.muted"
        borderWidth="1px"
        borderRadius="sm"
        css={{
          '& label': {
            position: 'relative',
            flex: '1 0 auto',
            minH: '7',
            px: '2',
            display: 'grid',
            placeItems: 'center',
            borderRadius: 'xs',
            cursor: 'pointer',
            fontSize: 'xs',
            textAlign: 'center',
            color: 'fg',
          },
          '& label:has(:checked)': { bg: 'bg.panel', fontWeight: 'semibold', boxShadow: 'xs' },
          '& label:has(:focus-visible)': {
            outline: '2px solid',
            outlineColor: 'accent.focusRing',
            outlineOffset: '1px',
          },
        }}
      >
        {options.map(({ label, lang, value: own }) => (
          <label key={own} lang={lang}>
            <chakra.input
              position="absolute"
              inset="0"
              opacity="0"
              cursor="pointer"
              type="radio"
              name={name}
              checked={own === value}
              onChange={() => onChoose(own)}
            />
            {label}
          </label>
        ))}
      </chakra.div>
    </chakra.fieldset>
  );
}
