import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { migrateSqlite } from '../../src/index.ts';

let content: Promise<Buffer> | undefined;

/** Makes a file as the migration leaves a new one. It is migrated once for a process. */
export async function migratedFile(file: string): Promise<void> {
  content ??= migrated();
  await writeFile(file, await content, { flag: 'wx', mode: 0o600 });
}

async function migrated(): Promise<Buffer> {
  const directory = await mkdtemp(join(tmpdir(), 'watchword-migrated-'));
  try {
    const file = join(directory, 'migrated.db');
    await migrateSqlite(file, 'all');
    return await readFile(file);
  } finally {
    await rm(directory, { recursive: true });
  }
}
