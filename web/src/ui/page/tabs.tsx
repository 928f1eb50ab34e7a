import { chakra } from '@chakra-ui/react';
import { type KeyboardEvent, type ReactNode, useId, useRef } from 'react';

interface TabsProps<V extends string> {
  label: string;
  tabs: readonly { readonly value: V; readonly label: string }[];
  value: V;
  onChoose: (value: V) => void;
  /** What the chosen tab shows. */
  children: ReactNode;
}

/** What is shown one at a time. Arrow keys, Home and End go from tab to tab; Tab goes into what is shown. */
export function Tabs<V extends string>({ label, tabs, value, onChoose, children }: TabsProps<V>) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const chosen = tabs.findIndex((tab) => tab.value === value);

  function go(event: KeyboardEvent): void {
    const places: Record<string, number> = {
      ArrowLeft: (chosen - 1 + tabs.length) % tabs.length,
      ArrowRight: (chosen + 1) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    };
    const place = places[event.key];
    const tab = place === undefined ? undefined : tabs[place];
    if (place === undefined || !tab) return;
    event.preventDefault();
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[place]?.focus();
    onChoose(tab.value);
  }

  return (
    <div>
      <chakra.div
        ref={list}
        role="tablist"
        aria-label={label}
        display="flex"
        flexWrap="wrap"
        columnGap="1"
        borderBottomWidth="1px"
        mb="3"
        onKeyDown={go}
        css={{
          '& button': {
            px: '3',
            minH: '9',
            mb: '-1px',
            borderBottomWidth: '2px',
            borderColor: 'transparent',
            color: 'fg.muted',
            cursor: 'pointer',
            fontVariantNumeric: 'tabular-nums',
            _hover: { color: 'fg' },
            _focusVisible: {
              outline: '2px solid',
              outlineColor: 'accent.focusRing',
              outlineOffset: '-2px',
            },
          },
          '& [aria-selected=true]': { color: 'fg', fontWeight: 'semibold', borderColor: 'accent.solid' },
        }}
      >
        {tabs.map((tab) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}-${tab.value}`}
            aria-selected={tab.value === value}
            aria-controls={`${id}-panel`}
            tabIndex={tab.value === value ? 0 : -1}
            onClick={() => onChoose(tab.value)}
          >
            {tab.label}
          </button>
        ))}
      </chakra.div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`}>
        {children}
      </div>
    </div>
  );
}
