import { randomUUID } from 'node:crypto';
import { access, link, open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';

/**
 * Makes a file that only this user can read. It appears complete and durable, or not at all, and replaces no other file.
 *
 * @param name gives a file a second name, which some file systems cannot
 * @returns `false` if there is a file already
 */
export async function makeFile(file: string, content: string, name = link): Promise<boolean> {
  const staged = `${file}.${randomUUID()}.new`;
  try {
    await writeDurably(staged, content);
    await name(staged, file).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'EEXIST') throw error;
      return renameAlone(staged, file);
    });
    await syncFolder(dirname(file));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' && (await isThere(file))) return false;
    throw error;
  } finally {
    await rm(staged, { force: true });
  }
}

/** Renaming replaces a file, so only one process at a time may do it. @throws Error of the file system, `EEXIST` if the file is there */
async function renameAlone(staged: string, file: string): Promise<void> {
  const turn = `${file}.making`;
  try {
    await (await open(turn, 'wx', 0o600)).close();
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code !== 'EEXIST') throw cause;
    // A process that was killed leaves it, and no other can tell that from one that is slow.
    const message = `EEXIST: there is a file ${turn}, because another process makes ${file} or ended while it did; remove it if no such process runs`;
    throw Object.assign(new Error(message, { cause }), { code: 'EEXIST' });
  }
  try {
    if (await isThere(file)) throw Object.assign(new Error(`there is a file ${file}`), { code: 'EEXIST' });
    await rename(staged, file);
  } finally {
    await rm(turn, { force: true });
  }
}

function isThere(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
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
