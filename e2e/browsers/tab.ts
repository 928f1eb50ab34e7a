import { setTimeout as sleep } from 'node:timers/promises';
import type { Role } from './find-in-page.ts';

/** What a library that drives a browser can do; `E` is how it holds an element of the page. */
export interface Driver<E> {
  open(url: string): Promise<void>;
  /** By `findInPage`. */
  find(role: Role, name: string): Promise<E | undefined>;
  click(element: E): Promise<void>;
  isChecked(element: E): Promise<boolean>;
  /** Replaces what is in a field. */
  type(element: E, text: string): Promise<void>;
  /** Gives a file to the only file field of the page. */
  attach(path: string): Promise<void>;
  /** To this inner width, in CSS pixels. */
  resize(width: number): Promise<void>;
  evaluate(expression: string): Promise<unknown>;
  close(): Promise<void>;
}

/** A tab of any browser: what the journeys do in it, as a person would, and no more. Each call waits for what it needs. */
export interface Tab {
  open(path: string): Promise<void>;
  press(role: 'button' | 'link', name: string): Promise<void>;
  /** Presses what can be chosen until it is: the page may move under the pointer. */
  choose(role: 'checkbox' | 'radio', name: string): Promise<void>;
  fill(label: string, text: string): Promise<void>;
  attach(path: string): Promise<void>;
  see(role: Role, name: string): Promise<void>;
  /** Waits until it is gone. */
  miss(role: Role, name: string): Promise<void>;
  resize(width: number): Promise<void>;
  /** How many pixels the page is wider than its window. */
  overflow(): Promise<number>;
  close(): Promise<void>;
}

const patienceMs = 30_000;
const lookMs = 100;

/** @param baseUrl of the product, without a slash at its end */
export function createTab<E>(driver: Driver<E>, baseUrl: string): Tab {
  /** Tries until it succeeds: an element may be replaced between the look for it and its use. */
  async function until<T>(what: string, attempt: () => Promise<T | undefined>): Promise<T> {
    const deadline = performance.now() + patienceMs;
    for (;;) {
      let failure: unknown;
      const result = await attempt().catch((error: unknown) => {
        failure = error;
        return undefined;
      });
      if (result !== undefined) return result;
      if (performance.now() > deadline) {
        const page = String(await driver.evaluate('location.pathname + "\\n" + document.body.innerText'));
        const why = failure instanceof Error ? ` (${failure.name}: ${failure.message})` : '';
        throw new Error(`${what}: not within ${patienceMs} ms${why}, on ${page.slice(0, 3_000)}`, {
          cause: failure,
        });
      }
      await sleep(lookMs);
    }
  }

  async function use(role: Role, name: string, act: (element: E) => Promise<void>): Promise<void> {
    await until(`${role} ${name}`, async () => {
      const element = await driver.find(role, name);
      if (element === undefined) return undefined;
      await act(element);
      return true;
    });
  }

  return {
    open: (path) => driver.open(baseUrl + path),
    press: (role, name) => use(role, name, (element) => driver.click(element)),
    async choose(role, name) {
      await until(`${role} ${name}`, async () => {
        const element = await driver.find(role, name);
        if (element === undefined) return undefined;
        if (!(await driver.isChecked(element))) await driver.click(element);
        return (await driver.isChecked(element)) ? true : undefined;
      });
    },
    // What is required says so at the end of its label.
    fill: (label, text) => use('field', `${label}…`, (element) => driver.type(element, text)),
    attach: (path) =>
      until('file field', async () => {
        await driver.attach(path);
        return true;
      }).then(() => undefined),
    see: (role, name) => use(role, name, async () => undefined),
    async miss(role, name) {
      await until(`${role} ${name} to go`, async () =>
        (await driver.find(role, name)) === undefined ? true : undefined,
      );
    },
    resize: (width) => driver.resize(width),
    overflow: async () =>
      Number(await driver.evaluate('document.documentElement.scrollWidth - window.innerWidth')),
    close: () => driver.close(),
  };
}
