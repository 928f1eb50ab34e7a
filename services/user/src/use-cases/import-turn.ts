const turnMs = 3_000;

/** Other imports wait during a turn; when it ends, the import goes behind them and resumes at the next possible place. */
export interface Turn {
  isOver(): boolean;
}

export function beginTurn(): Turn {
  const end = performance.now() + turnMs;
  return { isOver: () => performance.now() > end };
}
