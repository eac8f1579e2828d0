import { whenStarterIsGone } from './starter.ts';

/**
 * Milliseconds within which two signals are one request. A Ctrl-C, or a signal to a whole process group, reaches this process
 * directly, and again through npm, which forwards it.
 */
const window = 1000;

/**
 * Listens for requests to end this process. Each call of the returned function resolves with the next request: the name of
 * a signal, or the reason in words.
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
    // The first request can be the signal that ended the parent process. Then this is not a second request.
    if (last === undefined) ask('the process that started the server has ended');
  });
  return () =>
    new Promise((resolve) => {
      resolveNext = resolve;
    });
}
