import type { Io } from './io.ts';

/** An `io` whose terminal shows that a command still works, until it is disposed of. */
export interface Progress extends Disposable {
  readonly io: Io;
}

// Milliseconds: what takes less needs no word.
const pause = 1000;
const clearLine = '\r\u001b[K';

/**
 * Shows at a terminal how long a command has been working, on standard error, once it takes longer than a second. The line is
 * gone before anything else is written. While a question stands at the end of the output, which has no end of line, nothing is
 * shown; the end of a line, or an empty text, ends the question.
 *
 * @param name of the command, as the user types it
 */
export function progressOf(name: string, io: Io): Progress {
  const { stderr, stdout } = io;
  let seconds = 0;
  let isShown = false;
  let isAsking = false;
  const clear = () => {
    if (isShown) stderr.write(clearLine);
    isShown = false;
  };
  const watched = (sink: Io['stdout']) => ({
    isTTY: sink.isTTY === true,
    write(text: string) {
      clear();
      isAsking = text !== '' && !text.endsWith('\n');
      return sink.write(text);
    },
  });
  const timer = setInterval(() => {
    seconds += 1;
    if (isAsking) return;
    clear();
    stderr.write(`watchword: ${name} is still working, ${seconds} s`);
    isShown = true;
  }, pause);
  // A command ends when its work does.
  timer.unref();
  const own: Pick<Io, 'stdout' | 'stderr'> = { stdout: watched(stdout), stderr: watched(stderr) };
  return {
    // The process itself, with its signals and its exit code, but for its output.
    io: new Proxy(io, {
      get(target, key) {
        const value: unknown = Reflect.get(Object.hasOwn(own, key) ? own : target, key);
        return typeof value === 'function' ? value.bind(target) : value;
      },
      set: (target, key, value) => Reflect.set(target, key, value),
    }),
    [Symbol.dispose]() {
      clearInterval(timer);
      clear();
    },
  };
}

/** Commands that talk with the user all the time, also for a password, or that run until they are ended. */
const without = new Set(['serve', 'worker', 'login', 'doctor', 'user', 'completion']);

/** Whether a command shows its progress: at a terminal that can remove a line again. */
export function showsProgress(name: string, { env, stderr }: Pick<Io, 'env' | 'stderr'>): boolean {
  return stderr.isTTY === true && env.TERM !== 'dumb' && !without.has(name);
}
