export interface Figure {
  readonly what: string;
  readonly target: string;
  readonly measured: string;
  /** The same as a number, unrounded, for comparing versions; NaN where it was not measured. */
  readonly value: number;
  readonly better: 'higher' | 'lower';
  /** What stands behind the figure: the raw numbers of both sides. */
  readonly detail: string;
  readonly met: boolean;
  /** What a picture shows of it for each size of the data, where it is measured for several: `--grow`. */
  readonly growth?: Growth;
}

export interface Growth {
  /** The title of the picture. */
  readonly title: string;
  readonly unit: 'ms' | 's' | 'MB';
  readonly value: number;
}

export type Benchmark = () => Promise<readonly Figure[]>;

export const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`;

export const percent = (ratio: number) => `${Math.round(ratio * 100)} %`;

/** The value below which `share` (0 to 1) of the sorted samples lie. */
export function quantile(samples: readonly number[], share: number): number {
  const sorted = samples.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export const median = (samples: readonly number[]) => quantile(samples, 0.5);
