/**
 * Runs the work one time after the other. Callers share a run that has not begun, so what they get was read after their call, and
 * any number of callers at the same time cause two runs at most.
 */
export function sharedRuns<Result>(work: () => Promise<Result>): () => Promise<Result> {
  let next: Promise<Result> | undefined;
  let last: Promise<unknown> = Promise.resolve();
  return () => {
    if (next !== undefined) return next;
    const run = () => {
      next = undefined;
      return work();
    };
    next = last.then(run, run);
    last = next;
    return next;
  };
}
