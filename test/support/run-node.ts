import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { cleanEnvironment } from '@watchword/server-testkit/process';

/** Runs a command of Node.js; resolves with what it printed. @throws with all that it said when it fails */
export async function runNode(args: readonly string[], cwd: string): Promise<string> {
  const ended = promisify(execFile)(process.execPath, args, { cwd, env: cleanEnvironment() });
  return ended.then(
    ({ stdout }) => stdout,
    ({ message, stdout }) => Promise.reject(new Error(`${message}${stdout}`)),
  );
}
