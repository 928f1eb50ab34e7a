/** The same keys as `T`, each with a text of its own: a missing or surplus key does not compile. */
export type Translation<T> = { [K in keyof T]: T[K] extends string ? string : Translation<T[K]> };
