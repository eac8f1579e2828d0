import { spawn } from 'node:child_process';
import type { Io } from '../command/io.ts';

/**
 * Opens an address in the browser of the user, as far as there is one. The address is in the arguments of a process, which
 * other users can read, so it has no secret.
 */
export function openBrowser(url: string, { env }: Pick<Io, 'env'>): void {
  const [command, ...args] = opener(url);
  // The browser is not part of the command: it neither keeps it running nor ends with it.
  const opened = spawn(command, args, { env: { ...env }, stdio: 'ignore', detached: true });
  opened.on('error', () => {});
  opened.unref();
}

function opener(url: string): readonly [string, ...string[]] {
  if (process.platform === 'darwin') return ['open', url];
  // Not by cmd.exe, which would interpret the address.
  if (process.platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', url];
  return ['xdg-open', url];
}
