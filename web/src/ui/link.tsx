import { chakra } from '@chakra-ui/react';
import { type ComponentProps, createContext, use } from 'react';
import { Link as RouterLink } from 'react-router-dom';

/** Loads the code of an address before it is needed; given by the app, which knows the routes. */
export const PrefetchContext = createContext<(to: string) => void>(() => undefined);

type RouterLinkProps = Omit<ComponentProps<typeof RouterLink>, 'to' | 'prefetch'> & { to: string };

/** A bare link that fetches the target's code as soon as it is pointed at or focused. */
export function PlainLink({ to, ...props }: RouterLinkProps) {
  const prefetch = use(PrefetchContext);
  return <RouterLink to={to} onPointerEnter={() => prefetch(to)} onFocus={() => prefetch(to)} {...props} />;
}

const look = {
  base: {
    color: 'accent.fg',
    textDecoration: 'underline',
    textDecorationColor: 'accent.emphasized',
    textUnderlineOffset: '3px',
    _hover: { textDecorationColor: 'currentColor' },
  },
};

export const Link = chakra(PlainLink, look);

/** To another site, in a new tab; its text says so. */
export const ExternalLink = chakra('a', look, {
  defaultProps: { target: '_blank', rel: 'noopener noreferrer' },
});
