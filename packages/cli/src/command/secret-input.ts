import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { secretLine } from '@watchword/protocol';
import { secretIn, secretInFile } from '@watchword/server/secret-source';
import type { Signals, Terminal } from './io.ts';
import { UsageError } from './usage-error.ts';

/** Asks a question at the terminal. Resolves with the line, `undefined` at the end of the input or after Ctrl-C. */
export type AskHidden = (question: string) => Promise<string | undefined>;

/** Lines that are typed at a terminal, which does not show them. */
export interface HiddenLines extends Disposable {
  readonly ask: AskHidden;
}

/** Reads from the terminal until it is disposed of. */
export function openHiddenLines(terminal: Terminal): HiddenLines {
  const { stdin, stderr } = terminal;
  // While readline edits the line, the terminal does not echo. The output of readline is discarded.
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  const lines = createInterface({ input: stdin, output: nowhere, terminal: true, historySize: 0 });
  lines.on('SIGINT', () => lines.close());
  const typed = lines[Symbol.asyncIterator]();
  let asked = '';
  const guard = guardTerminal(terminal, () => stderr.write(asked));
  // Ctrl-Z. What readline does itself would pause the input for good, and show it where nothing stops the process.
  lines.on('SIGTSTP', guard.suspend);
  return {
    async ask(question) {
      asked = question;
      stderr.write(question);
      const { value, done } = await typed.next();
      stderr.write('\n');
      return done ? undefined : secretLine(value);
    },
    [Symbol.dispose]() {
      guard[Symbol.dispose]();
      lines.close();
    },
  };
}

// Those that end a process by themselves. A program cannot handle SIGKILL, and SIGUSR1 starts the debugger of Node.js.
const endings = [
  ...(['SIGHUP', 'SIGINT', 'SIGQUIT', 'SIGTERM', 'SIGALRM', 'SIGUSR2'] as const),
  ...(['SIGVTALRM', 'SIGXCPU', 'SIGXFSZ', 'SIGIO'] as const),
];

/**
 * Until it is disposed of, gives the terminal its usual modes back before a signal ends or stops the process, and hides the input
 * again when the process continues.
 *
 * @param onContinued called then, because the shell has written on the line of the question
 */
function guardTerminal(terminal: Terminal, onContinued: () => void): Disposable & { suspend(): void } {
  const signals = hasSignals(terminal) ? terminal : undefined;
  const setHidden = (isHidden: boolean) => {
    try {
      terminal.stdin.setRawMode?.(isHidden);
    } catch {
      // The terminal is gone, as after SIGHUP.
    }
  };
  const end = (signal: NodeJS.Signals) => {
    setHidden(false);
    release();
    signals?.kill(signals.pid, signal);
  };
  const suspend = () => {
    setHidden(false);
    signals?.off('SIGTSTP', suspend);
    signals?.kill(signals.pid, 'SIGTSTP');
    // The process goes on here: at once if the terminal has no job control, where the kernel drops the signal.
    signals?.on('SIGTSTP', suspend);
    setHidden(true);
  };
  // Also after SIGSTOP. Node.js believes that the modes are as it left them.
  const proceed = () => {
    setHidden(false);
    setHidden(true);
    onContinued();
  };
  const release = () => {
    for (const signal of endings) signals?.off(signal, end);
    signals?.off('SIGTSTP', suspend);
    signals?.off('SIGCONT', proceed);
  };
  for (const signal of endings) signals?.on(signal, end);
  signals?.on('SIGTSTP', suspend);
  signals?.on('SIGCONT', proceed);
  return { suspend, [Symbol.dispose]: release };
}

function hasSignals(terminal: Terminal): terminal is Terminal & Signals {
  return terminal.kill !== undefined;
}

/**
 * All of standard input, or of a file.
 *
 * @param asker option or command that reads it, for the error
 * @param source standard input, or the name of a file
 * @throws UsageError
 */
export async function secretText(
  asker: string,
  source: AsyncIterable<Buffer | string> | string,
): Promise<string> {
  try {
    return await (typeof source === 'string' ? secretInFile(source) : secretIn(source));
  } catch (error) {
    const place = typeof source === 'string' ? source : 'standard input';
    throw new UsageError(`${asker}: ${place} cannot be read: ${(error as Error).message}`);
  }
}
