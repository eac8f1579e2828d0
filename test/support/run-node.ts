import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { cleanEnvironment } from '@watchword/server-testkit/processes/process';

/** Runs a command of Node.js. Resolves with its output. @throws Error with all of its output when it fails */
export async function runNode(args: readonly string[], cwd: string): Promise<string> {
  const ended = promisify(execFile)(process.execPath, args, { cwd, env: cleanEnvironment() });
  return ended.then(
    ({ stdout }) => stdout,
    ({ message, stdout }) => Promise.reject(new Error(`${message}${stdout}`)),
  );
}
