/** Milliseconds over which the speed is averaged: short enough to follow the line, long enough to be read. */
const span = 8_000;

export interface Speedometer {
  /** Takes down how many bytes were sent at a time in milliseconds. */
  add(sent: number, at: number): void;
  /** Bytes a second, once there is something to tell. */
  speed(): number | undefined;
  reset(): void;
}

export function createSpeedometer(): Speedometer {
  let samples: { sent: number; at: number }[] = [];
  return {
    add(sent, at) {
      samples = [...samples.filter((sample) => at - sample.at <= span), { sent, at }];
    },
    speed() {
      const [first, last] = [samples[0], samples.at(-1)];
      if (!first || !last || last.at - first.at < 500) return undefined;
      return Math.max(0, ((last.sent - first.sent) * 1000) / (last.at - first.at));
    },
    reset() {
      samples = [];
    },
  };
}
