import { randomUUID } from 'node:crypto';
import { constants, type FileHandle, link, mkdir, open, rm, stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';

/**
 * Makes a file that only its owner can read: this user, or for root, who makes it for a service, the owner of the folder. It
 * appears complete and durable, or not at all, and replaces no other file.
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
    await giveToOwner(handle, dirname(file));
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Makes a folder for this user only, with all above it that are missing; for root as {@link makeFile}. */
export async function makeFolder(folder: string): Promise<void> {
  const first = await mkdir(folder, { recursive: true, mode: 0o700 });
  if (first === undefined || process.geteuid?.() !== 0) return;
  for (let made = resolve(folder); made.length >= resolve(first).length; made = dirname(made)) {
    const handle = await open(made, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_DIRECTORY);
    try {
      await giveToOwner(handle, dirname(first));
    } finally {
      await handle.close();
    }
  }
}

/** Root commands make files for a service, which could not use those of root. By the opened file: its name can lead elsewhere by now. */
async function giveToOwner(handle: FileHandle, folder: string): Promise<void> {
  if (process.geteuid?.() !== 0) return;
  const { uid, gid } = await stat(folder);
  // A file system without owners, or root without this right: the command says afterwards what is left to do.
  await handle.chown(uid, gid).catch(() => {});
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
