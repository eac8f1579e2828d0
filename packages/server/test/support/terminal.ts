import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { bin, cleanEnvironment } from './process.ts';

/** Whether {@link atTerminal} works here. */
export function hasTerminals(): Promise<boolean> {
  return promisify(execFile)('script', ['--version']).then(
    () => process.platform === 'linux',
    () => false,
  );
}

/**
 * Runs the command at a terminal of its own, which script(1) of util-linux gives it, and types the answer at each
 * question, which ends in a colon or a bracket and a blank.
 */
export async function atTerminal(
  args: readonly string[],
  answer: string,
): Promise<{ readonly code: number | null; readonly screen: string }> {
  const command = [process.execPath, bin, ...args].map((word) => `'${word}'`).join(' ');
  const child = spawn('script', ['-qec', command, '/dev/null'], { env: cleanEnvironment() });
  let screen = '';
  child.stdout.on('data', (chunk: Buffer) => {
    screen += chunk.toString();
    if (/[:\]] $/.test(screen)) child.stdin.write(`${answer}\r`);
  });
  await once(child, 'close');
  return { code: child.exitCode, screen };
}
