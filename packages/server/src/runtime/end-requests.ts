import { whenStarterIsGone } from './starter.ts';

/**
 * Milliseconds within which two signals are one request: a Ctrl-C, or a signal to a whole process group, reaches this
 * process itself, and once more through npm, which passes it on.
 */
const window = 1000;

/**
 * Listens for requests that this process ends. Each call of what is returned resolves with the next one: the name of a
 * signal, or the reason in words.
 *
 * @param now milliseconds of a clock that never goes back
 */
export function endRequests(now = () => performance.now()): () => Promise<string> {
  let resolveNext = (_request: string) => {};
  let last: number | undefined;
  const ask = (request: string) => {
    if (last !== undefined && now() - last < window) return;
    last = now();
    resolveNext(request);
  };
  for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, ask);
  whenStarterIsGone(() => {
    // It may have ended by the very signal that was the first request. That does not ask this process to hurry.
    if (last === undefined) ask('the process that started it is gone');
  });
  return () =>
    new Promise((resolve) => {
      resolveNext = resolve;
    });
}
