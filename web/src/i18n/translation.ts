/**
 * The same keys as `T`, each with a text of its own: a missing or surplus key does not compile. What Japanese has one
 * form of, `x_other`, has another for one, `x_one`.
 */
export type Translation<T> = { [K in keyof T]: T[K] extends string ? string : Translation<T[K]> } & {
  [K in keyof T as K extends `${infer Name}_other` ? `${Name}_one` : never]: string;
};
