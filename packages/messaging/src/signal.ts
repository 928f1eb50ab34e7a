/** Wakes a waiter; if nobody waits, the next waiter returns at once. */
export class Signal {
  #pending = false;
  readonly #waiters = new Set<() => void>();

  set(): void {
    if (this.#waiters.size === 0) this.#pending = true;
    for (const wake of this.#waiters) wake();
  }

  /** Resolves when the signal is set, or after `timeoutMs`. */
  wait(timeoutMs: number): Promise<void> {
    if (this.#pending) {
      this.#pending = false;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      const wake = () => {
        clearTimeout(timer);
        this.#waiters.delete(wake);
        resolve();
      };
      const timer = setTimeout(wake, timeoutMs);
      this.#waiters.add(wake);
    });
  }
}
