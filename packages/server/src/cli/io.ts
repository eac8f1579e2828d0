import type { LogSink } from '../runtime/logger.ts';

/** What a command has of the process that runs it, so that a process can run many. */
export interface Io extends Terminal {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly stdout: TextSink;
  /** For a command that ends as it should and has failed all the same. */
  exitCode?: number | string | null | undefined;
  /**
   * Where the log of a server goes. Without it the process is the server's own: the log goes to standard output, and signals
   * and uncaught errors end the server. With it they are left to whoever runs the command.
   */
  readonly log?: LogSink;
}

/** Where a person types, or a script pipes. */
export interface Terminal {
  readonly stdin: NodeJS.ReadableStream & { readonly isTTY?: boolean };
  readonly stderr: TextSink;
}

export interface TextSink {
  write(text: string): unknown;
}

/** This process, for the one command that it was started for. */
export function ownProcess(): Io {
  // Databases are for this user alone: whoever may read one may also lock it.
  process.umask(0o077);
  process.stdout.on('error', reportLostOutput);
  // What is printed there helps people, and nothing depends on it.
  process.stderr.on('error', () => {});
  return process;
}

/** Whoever reads the output may have read enough, as `head` does; that is no failure of the command. */
function reportLostOutput({ code, message }: NodeJS.ErrnoException): void {
  if (code === 'EPIPE') return;
  process.stderr.write(
    `watchword: what the command prints could not be written: ${message}. Free some space, or print to another place.\n`,
  );
  process.exitCode = 1;
}
