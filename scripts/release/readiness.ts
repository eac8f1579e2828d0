import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { entryOf } from './changelog.ts';
import { readChanges } from './changes.ts';

export interface Asked {
  readonly version: string;
  /** File of the key that signs. */
  readonly key: string | undefined;
  readonly env: NodeJS.ProcessEnv;
}

/** Why a checkout cannot be released as it is. */
export function readinessProblems(checkout: string, { version, key, env }: Asked): string[] {
  const status = execFileSync('git', ['status', '--porcelain'], { cwd: checkout, encoding: 'utf8' }).trim();
  const { GITHUB_REF_TYPE: kind, GITHUB_REF_NAME: tag } = env;
  return [
    ...(status === '' ? [] : [`expected a clean tree: commit these changes or take them back\n${status}`]),
    ...problemOf(() => {
      const pending = readChanges(checkout).map(({ id }) => id);
      if (pending.length > 0)
        throw new Error(
          `expected no pending changeset, got ${pending.join(', ')}. Run: npm run release:version`,
        );
    }),
    ...problemOf(() => entryOf(readFileSync(join(checkout, 'CHANGELOG.md'), 'utf8'), version)),
    ...(kind !== 'tag' || tag === `v${version}` ? [] : [`expected the tag v${version}, got ${tag}`]),
    ...(key === undefined || existsSync(key) ? [] : [`--key: there is no file ${key}`]),
  ];
}

function problemOf(check: () => unknown): string[] {
  try {
    check();
    return [];
  } catch (error) {
    return [(error as Error).message];
  }
}
