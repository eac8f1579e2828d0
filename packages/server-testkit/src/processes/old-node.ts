import { execFileSync } from 'node:child_process';
import { delimiter, join } from 'node:path';

/** Path of an installed Node.js that is too old to run the server; `undefined` if there is none. */
export const oldNode: string | undefined = (process.env.PATH ?? '')
  .split(delimiter)
  .map((directory) => join(directory, 'node'))
  .find((file) => /^v(?:20|22|23|24\.[0-6])\./.test(versionOf(file)));

function versionOf(node: string): string {
  try {
    return execFileSync(node, ['--version'], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  } catch {
    return '';
  }
}
