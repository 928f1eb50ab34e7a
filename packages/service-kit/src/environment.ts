export type Environment = Readonly<Record<string, string | undefined>>;

/** The settings that are there: an empty one is an absent one. */
export const givenIn = (env: Environment): Environment =>
  Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
