import { randomUUID } from 'node:crypto';
import { link, open, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a file that only this user can read. It appears complete and durable, or not at all, and replaces no other file.
 *
 * @returns `false` if there is a file already
 */
export async function makeFile(file: string, content: string): Promise<boolean> {
  const staged = `${file}.${randomUUID()}.new`;
  try {
    await writeDurably(staged, content);
    await link(staged, file);
    await syncFolder(dirname(file));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  } finally {
    await rm(staged, { force: true });
  }
}

async function writeDurably(file: string, content: string): Promise<void> {
  const handle = await open(file, 'wx', 0o600);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
