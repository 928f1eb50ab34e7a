/** What the top bar's buttons look like on its dark ground. */
export const onDark = {
  color: '#e8eef5',
  _hover: { bg: 'rgb(255 255 255 / 12%)' },
} as const;
