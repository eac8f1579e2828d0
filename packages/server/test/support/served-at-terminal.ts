import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { bin, cleanEnvironment, logged } from '@watchword/server-testkit/processes/process';

/** The server at a terminal of util-linux, which is ended once its output matches. */
export async function servedAtTerminal(
  args: readonly string[],
  until: RegExp,
  env: Record<string, string> = {},
): Promise<string> {
  const command = [process.execPath, bin, 'serve', '--port', '0', ...args]
    .map((word) => `'${word}'`)
    .join(' ');
  const child = spawn('script', ['-qfec', command, '/dev/null'], { env: cleanEnvironment(env) });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
  });
  await logged(() => output, until);
  const closed = once(child, 'close');
  // Ctrl+C: the terminal sends the signal to the server.
  child.stdin.write('\u0003');
  await closed;
  return output;
}
