import { chmod, chown, copyFile, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunAs } from './run-as.ts';

export interface CopyOptions {
  /** Permissions of directories and files. */
  readonly modes: { readonly directory: number; readonly file: number };
  /** The owner of the copy. */
  readonly owner?: RunAs;
  /** Whether the file or directory at this path below the source is copied. */
  readonly include?: (path: string) => boolean;
}

/** Copies a directory that another process can be changing: a file that disappears meanwhile is left out. */
export async function copyDirectory(source: string, target: string, options: CopyOptions): Promise<void> {
  await copyInto(source, target, '', options);
}

async function copyInto(source: string, target: string, path: string, options: CopyOptions): Promise<void> {
  const { modes, include = () => true } = options;
  const directory = join(target, path);
  await mkdir(directory, { recursive: true });
  await setAccess(directory, modes.directory, options);
  const entries = await readdir(join(source, path), { withFileTypes: true });
  const included = entries.filter(({ name }) => include(join(path, name)));
  await Promise.all(
    included.map(async (entry) => {
      const below = join(path, entry.name);
      if (entry.isDirectory()) return copyInto(source, target, below, options);
      try {
        await copyFile(join(source, below), join(target, below));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
        throw error;
      }
      await setAccess(join(target, below), modes.file, options);
    }),
  );
}

async function setAccess(path: string, mode: number, { owner }: CopyOptions): Promise<void> {
  await chmod(path, mode);
  if (owner?.uid !== undefined && owner.gid !== undefined) await chown(path, owner.uid, owner.gid);
}
