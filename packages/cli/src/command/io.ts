import type { LogSink } from '@watchword/server/runtime/log/logger';

/** The parts of the process that a command uses. They are passed in, so that one process can run many commands. */
export interface Io extends Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: TextSink & { readonly isTTY?: boolean };
  /** Set by a command that reports a failure without an error. */
  exitCode?: number | string | null | undefined;
  /**
   * Where the log of a server goes. Without it the process belongs to the server: the log goes to standard output, and
   * signals and uncaught errors end the server. With it the caller of the command handles signals and errors.
   */
  readonly log?: LogSink;
}

/** Where a user types, or a script pipes text. */
export interface Terminal extends Partial<Signals> {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean; setRawMode?(isRaw: boolean): unknown };
  readonly stderr: TextSink & { readonly isTTY?: boolean };
}

/** The signals of the process, if the terminal is its own. */
export interface Signals {
  readonly pid: number;
  on(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
  off(signal: NodeJS.Signals, listener: (signal: NodeJS.Signals) => void): unknown;
  kill(pid: number, signal: NodeJS.Signals): unknown;
}

export interface TextSink {
  write(text: string): unknown;
}

/** This process, which was started for one command. */
export function ownProcess(): Io {
  // Only this user can open the databases: a process that can read a database can also lock it.
  process.umask(0o077);
  process.stdout.on('error', reportLostOutput);
  // Its text is for people. If it cannot be written, the command continues.
  process.stderr.on('error', () => {});
  return process;
}

/** A reader such as `head` can close the pipe when it has read enough. That is not an error of the command. */
function reportLostOutput({ code, message }: NodeJS.ErrnoException): void {
  if (code === 'EPIPE') return;
  process.stderr.write(
    `watchword: the output of the command could not be written: ${message}. Free some space, or redirect the output to another place.\n`,
  );
  process.exitCode = 1;
}
