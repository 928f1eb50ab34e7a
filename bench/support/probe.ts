import type { Product } from '@portal/testing/product';
import type { Figure } from './figure.ts';

/** A figure that any product tells within a second, again and again: two versions run side by side and are asked in turns. */
export interface Probe extends Pick<Figure, 'better' | 'what'> {
  /** Fills the product with what is asked for. @returns what measures it once */
  prepare(product: Product): Promise<() => Promise<number>>;
}
