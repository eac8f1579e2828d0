import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A directory that only this user can enter. */
export async function privateDirectory() {
  const path = await mkdtemp(join(tmpdir(), 'watchword-testkit-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}
