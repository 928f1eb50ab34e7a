/** Files with keys in them, and what was read from them: never stored. */
export const secretFields = ['keyFile', 'p12', 'p12Password', 'pem'] as const;
