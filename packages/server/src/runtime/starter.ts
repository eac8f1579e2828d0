// Milliseconds after which it is noticed that the parent process is gone.
const interval = 200;

/**
 * Calls back once the process is gone that started this one and passes signals on to it. Only where it is known to be
 * that: what a shell leaves behind on purpose runs on.
 */
export function whenStarterIsGone(callback: () => void): void {
  // The pinned Node.js, started by an older one (bin/pinned-node.js).
  process.once('disconnect', callback);
  // The channel by which that is noticed shall not keep this process alive.
  process.channel?.unref();
  if (isStartedByNpx(process.env)) watchParent(callback);
}

/**
 * `npx` sends a signal to the shell in which it runs the command. Some shells, dash among them, end by it and pass nothing
 * on.
 */
function isStartedByNpx(environment: NodeJS.ProcessEnv): boolean {
  const { npm_lifecycle_event: event, npm_lifecycle_script: script = '' } = environment;
  return event === 'npx' && /\bwatchword\b/.test(script);
}

/** There is no event for it: a process whose parent is gone is given another. */
function watchParent(callback: () => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    callback();
  }, interval);
  timer.unref();
}
