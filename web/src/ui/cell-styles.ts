/**
 * The parts that a list has hundreds of. Chakra works out the style of an element each time it renders, which for a list of
 * a hundred rows took half of the time until it stood there: these are plain elements with a class.
 */
export const cellStyles = {
  '.link': {
    color: 'accent.fg',
    textDecoration: 'underline',
    textDecorationColor: 'accent.emphasized',
    textUnderlineOffset: '3px',
    _hover: { textDecorationColor: 'currentColor' },
  },
  '.long-word': {
    lineClamp: { base: '4', md: '2' },
    w: 'fit-content',
    maxW: 'full',
    overflowWrap: 'anywhere',
  },
  '.second-line': { display: 'block', fontSize: 'xs', fontWeight: 'normal', color: 'fg.muted' },
  '.none': { color: 'fg.muted' },
  '.tags': { display: 'flex', flexWrap: 'wrap', gap: '1' },
  '.tags > li': {
    maxW: 'min(12rem, 100%)',
    minH: '5',
    px: '1.5',
    display: 'inline-flex',
    alignItems: 'center',
    borderRadius: 'l2',
    fontSize: 'xs',
    fontWeight: 'medium',
    fontVariantNumeric: 'tabular-nums',
    bg: 'gray.subtle',
    color: 'gray.fg',
  },
  '.tags > li > span': { lineClamp: '2', overflowWrap: 'anywhere' },
  '.row-action': {
    display: 'inline-flex',
    alignItems: 'center',
    justifyContent: 'center',
    boxSize: '8',
    verticalAlign: 'middle',
    borderRadius: 'l2',
    cursor: 'pointer',
    color: 'gray.fg',
    _hover: { bg: 'gray.subtle' },
    _disabled: { opacity: '0.55', cursor: 'not-allowed' },
    '& svg': { boxSize: '4' },
  },
} as const;
