import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../..', import.meta.url));

/** Changes of files, whose paths are those from the root of a checkout. */
export interface CheckoutChanges {
  write(path: string, text: string): Promise<void>;
  /** @throws Error when the file does not contain the text to replace */
  replace(path: string, text: string, by: string): Promise<void>;
}

/** @param read returns the text of a file as it is now */
export function checkoutChanges(
  read: (path: string) => Promise<string>,
  write: CheckoutChanges['write'],
): CheckoutChanges {
  return {
    write,
    async replace(path, text, by) {
      const before = await read(path);
      if (!before.includes(text)) throw new Error(`${path} does not hold: ${text}`);
      await write(
        path,
        before.replace(text, () => by),
      );
    },
  };
}

/** Changes of this checkout that no file has: only `texts`, by the paths of the files. */
export interface ImaginedChanges extends CheckoutChanges {
  readonly texts: ReadonlyMap<string, string>;
}

export function imaginedChanges(): ImaginedChanges {
  const texts = new Map<string, string>();
  const read = async (path: string) => texts.get(path) ?? (await readFile(join(root, path), 'utf8'));
  const changes = checkoutChanges(read, async (path, text) => void texts.set(path, text));
  return { ...changes, texts };
}
