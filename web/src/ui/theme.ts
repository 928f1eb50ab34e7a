import {
  createSystem,
  defaultBaseConfig,
  defineConfig,
  defineRecipe,
  type SystemContext,
} from '@chakra-ui/react';
import { badgeRecipe, buttonRecipe, skeletonRecipe, spinnerRecipe } from '@chakra-ui/react/theme';
import { cellStyles } from './cell-styles.ts';

/** Steps of a quarter rem: the 4 px grid. */
const grid = [
  0, 0.5, 1, 1.5, 2, 2.5, 3, 3.5, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14, 16, 20, 24, 32, 40, 48, 64, 80, 96,
];
const spacing = Object.fromEntries(grid.map((step) => [String(step), { value: `${step * 0.25}rem` }]));

const values = (entries: Record<string, string>) =>
  Object.fromEntries(Object.entries(entries).map(([name, value]) => [name, { value }]));

const shades = ['50', '100', '200', '300', '400', '500', '600', '700', '800', '900', '950'];
const ramp = (...colours: string[]) =>
  Object.fromEntries(shades.map((shade, index) => [shade, { value: colours[index] ?? '' }]));

const pair = (light: string, dark: string) => ({ value: { _light: light, _dark: dark } });

/** What a palette is asked for: everything that carries `colorPalette` works with each of them. */
const palette = (name: string, solid = { light: '600', dark: '500' }) => ({
  contrast: pair('white', 'white'),
  solid: pair(`{colors.${name}.${solid.light}}`, `{colors.${name}.${solid.dark}}`),
  fg: pair(`{colors.${name}.700}`, `{colors.${name}.300}`),
  subtle: pair(`{colors.${name}.50}`, `{colors.${name}.900}`),
  muted: pair(`{colors.${name}.100}`, `{colors.${name}.800}`),
  emphasized: pair(`{colors.${name}.200}`, `{colors.${name}.700}`),
  border: pair(`{colors.${name}.200}`, `{colors.${name}.800}`),
  focusRing: pair(`{colors.${name}.500}`, `{colors.${name}.400}`),
});

const disabled = { opacity: '0.55', cursor: 'not-allowed' };

/** Inputs and text areas. Their border alone tells where they are, so it has the contrast of one that informs. */
const control = {
  w: 'full',
  minW: '0',
  px: '2.5',
  fontSize: 'sm',
  color: 'fg',
  bg: 'bg.panel',
  borderWidth: '1px',
  borderColor: 'border.control',
  borderRadius: 'l2',
  _focusVisible: {
    outline: '2px solid',
    outlineColor: 'accent.focusRing',
    outlineOffset: '-1px',
    borderColor: 'transparent',
    borderRadius: 'l2',
  },
  '&[aria-invalid=true]': { borderColor: 'border.error' },
  _disabled: { opacity: '0.55', cursor: 'not-allowed' },
} as const;

const config = defineConfig({
  preflight: true,
  cssVarsPrefix: 'portal',
  globalCss: {
    html: {
      colorPalette: 'accent',
      color: 'fg',
      bg: 'bg',
      lineHeight: '1.55',
      textSizeAdjust: '100%',
      scrollPaddingBottom: 'var(--docked-bar, 0px)',
    },
    body: {
      fontFamily: 'body',
      fontSize: 'sm',
      minHeight: '100dvh',
      paddingBottom: 'var(--docked, 0px)',
      fontFeatureSettings: '"palt" 0',
    },
    '*': {
      '--global-color-border': 'colors.border',
      _motionReduce: { animationDuration: '1ms !important', transitionDuration: '1ms !important' },
    },
    '*::placeholder': { color: 'fg.subtle', opacity: '1' },
    ':focus-visible': {
      outline: '2px solid {colors.accent.focusRing}',
      outlineOffset: '2px',
    },
    // Japanese breaks between phrases, not within them; browsers that cannot tell break as before.
    ':is(h1, h2, h3, p, dd, li, legend, label)': { wordBreak: 'auto-phrase', textWrap: 'pretty' },
    // A field that takes the focus is not scrolled behind what stays in view.
    'html:has([data-action-bar])': { scrollPaddingBottom: 'calc(5rem + var(--docked-bar, 0px))' },
    'a, button, input, select, textarea, summary': { touchAction: 'manipulation' },
    ...cellStyles,
  },
  theme: {
    breakpoints: { sm: '30rem', md: '48rem', lg: '62rem', xl: '80rem' },
    tokens: {
      spacing,
      sizes: {
        ...spacing,
        ...values({ full: '100%', form: '44rem', page: '90rem', nav: '14.5rem', dialog: '28rem' }),
      },
      radii: values({ none: '0', xs: '3px', sm: '5px', md: '8px', lg: '12px', full: '9999px' }),
      borders: values({ xs: '1px solid', sm: '2px solid' }),
      fonts: values({
        body: '"Hiragino Sans", "Hiragino Kaku Gothic ProN", "BIZ UDPGothic", "Yu Gothic UI", Meiryo, "Noto Sans JP", "Noto Sans CJK JP", system-ui, sans-serif',
        mono: 'ui-monospace, SFMono-Regular, Menlo, Consolas, "BIZ UDGothic", monospace',
      }),
      fontSizes: values({
        xs: '0.75rem',
        sm: '0.875rem',
        md: '1rem',
        lg: '1.125rem',
        xl: '1.375rem',
        '2xl': '1.75rem',
      }),
      fontWeights: values({ normal: '400', medium: '500', semibold: '600', bold: '700' }),
      lineHeights: values({ tight: '1.3', normal: '1.55' }),
      durations: values({ fast: '80ms', moderate: '120ms', slow: '200ms' }),
      zIndex: {
        hide: { value: -1 },
        base: { value: 0 },
        sticky: { value: 10 },
        popup: { value: 20 },
        toast: { value: 100 },
      },
      cursor: values({ button: 'pointer', disabled: 'not-allowed' }),
      animations: values({ spin: 'spin 0.9s linear infinite', pulse: 'pulse 1.6s ease-in-out infinite' }),
      colors: {
        white: { value: '#ffffff' },
        black: { value: '#000000' },
        gray: ramp(
          '#f5f7f9',
          '#edf0f4',
          '#dfe4ea',
          '#c9d1da',
          '#97a3b0',
          '#626f7d',
          '#515d6a',
          '#3c4752',
          '#29323b',
          '#1b222a',
          '#10151a',
        ),
        blue: ramp(
          '#eef5fc',
          '#d9e8f9',
          '#b4d1f1',
          '#84b3e6',
          '#4f8fd8',
          '#2f75c4',
          '#1f5fa8',
          '#1b4e89',
          '#183f6d',
          '#142f50',
          '#0d1f36',
        ),
        red: ramp(
          '#fdf1f1',
          '#fae0e0',
          '#f4c0c0',
          '#ee9797',
          '#e06464',
          '#cf4040',
          '#b82c2c',
          '#982323',
          '#6d1f1f',
          '#431a1c',
          '#2a1012',
        ),
        orange: ramp(
          '#fdf5e9',
          '#fae7c9',
          '#f4d08f',
          '#ecb355',
          '#d99025',
          '#b87311',
          '#955a0b',
          '#77480d',
          '#563510',
          '#372411',
          '#22160a',
        ),
        green: ramp(
          '#eef8f1',
          '#d7efdf',
          '#aedfbf',
          '#7cc897',
          '#48a96c',
          '#2c8c52',
          '#207243',
          '#1b5c37',
          '#184a2e',
          '#143322',
          '#0c2015',
        ),
      },
    },
    semanticTokens: {
      radii: values({ l1: '{radii.xs}', l2: '{radii.sm}', l3: '{radii.md}' }),
      shadows: {
        xs: pair('0 1px 2px #1b222a14', '0 1px 2px #00000066'),
        md: pair('0 4px 12px #1b222a1f', '0 4px 12px #00000080'),
        lg: pair('0 12px 32px #1b222a2e', '0 12px 32px #000000a6'),
      },
      colors: {
        bg: {
          DEFAULT: pair('{colors.gray.50}', '{colors.gray.950}'),
          panel: pair('{colors.white}', '#161c22'),
          subtle: pair('#f8fafb', '#1a2128'),
          muted: pair('{colors.gray.100}', '#222a32'),
          emphasized: pair('{colors.gray.200}', '{colors.gray.700}'),
          header: pair('#16304f', '#12181e'),
          error: pair('{colors.red.50}', '{colors.red.950}'),
          warning: pair('{colors.orange.50}', '{colors.orange.950}'),
          success: pair('{colors.green.50}', '{colors.green.950}'),
          info: pair('{colors.blue.50}', '{colors.blue.950}'),
        },
        fg: {
          DEFAULT: pair('{colors.gray.900}', '#e6eaee'),
          muted: pair('{colors.gray.600}', '#a3aeb9'),
          subtle: pair('{colors.gray.500}', '#8995a1'),
          error: pair('{colors.red.700}', '{colors.red.300}'),
          warning: pair('{colors.orange.700}', '{colors.orange.300}'),
          success: pair('{colors.green.700}', '{colors.green.300}'),
          info: pair('{colors.blue.700}', '{colors.blue.300}'),
        },
        border: {
          DEFAULT: pair('{colors.gray.200}', '#2b343d'),
          muted: pair('{colors.gray.100}', '#222a32'),
          control: pair('#8793a0', '#66727e'),
          error: pair('{colors.red.600}', '{colors.red.400}'),
        },
        accent: palette('blue'),
        gray: palette('gray'),
        danger: palette('red', { light: '600', dark: '600' }),
        warning: palette('orange'),
        success: palette('green', { light: '600', dark: '600' }),
        info: palette('blue'),
      },
    },
    keyframes: {
      spin: { to: { transform: 'rotate(360deg)' } },
      pulse: { '50%': { opacity: '0.5' } },
    },
    textStyles: Object.fromEntries(
      ['xs', 'sm', 'md', 'lg'].map((size) => [size, { value: { fontSize: size, lineHeight: '1.55' } }]),
    ),
    layerStyles: { disabled: { value: disabled } },
    recipes: {
      badge: defineRecipe({ ...badgeRecipe, defaultVariants: { variant: 'subtle', size: 'sm' } }),
      button: defineRecipe({
        ...buttonRecipe,
        compoundVariants: [{ variant: 'outline', css: { bg: 'bg.panel' } }],
        defaultVariants: { variant: 'solid', size: 'sm' },
      }),
      input: defineRecipe({ base: { ...control, h: '9' } }),
      textarea: defineRecipe({ base: { ...control, py: '2', lineHeight: 'normal' } }),
      skeleton: skeletonRecipe,
      spinner: spinnerRecipe,
    },
  },
});

/** Only the tokens and recipes that the product uses: the whole preset would be most of the first load. It takes a while to make. */
export const createPortalSystem = (): SystemContext => createSystem(defaultBaseConfig, config);
