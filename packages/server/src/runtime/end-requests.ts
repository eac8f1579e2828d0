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

// Milliseconds between two checks whether the parent process has ended.
const interval = 200;

/**
 * Calls back when the process has ended that started this one and forwards signals to it. A process that a shell started in
 * the background on purpose continues.
 */
function whenStarterIsGone(callback: () => void): void {
  // The pinned Node.js, started by an older one (bin/pinned-node.js).
  process.once('disconnect', callback);
  // The channel to the parent process must not keep this process alive.
  process.channel?.unref();
  if (isStartedByNpx(process.env)) watchParent(callback);
}

/**
 * `npx` sends a signal to the shell in which it runs the command. Some shells, such as dash, end and do not forward the
 * signal.
 */
function isStartedByNpx(environment: NodeJS.ProcessEnv): boolean {
  const { npm_lifecycle_event: event, npm_lifecycle_script: script = '' } = environment;
  return event === 'npx' && /\bwatchword\b/.test(script);
}

/** Compares the id of the parent process, because there is no event: a process whose parent has ended gets another parent. */
function watchParent(callback: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    callback();
  }, interval);
  timer.unref();
}
