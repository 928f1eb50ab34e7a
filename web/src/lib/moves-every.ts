/** Milliseconds between two looks at what moves by itself. */
export const movesEvery = 5_000;
