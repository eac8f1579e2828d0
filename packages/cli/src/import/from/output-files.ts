import { type FileHandle, open } from 'node:fs/promises';
import { printableJson } from '@watchword/server/runtime/log/printable';
import { UsageError } from '../../command/usage-error.ts';

type Name = 'report' | 'mapping';

/** Opens the files that an import writes, for this user alone: they name people. @throws UsageError */
export async function openOutputFiles(options: { readonly [name in Name]?: string | undefined }) {
  const open = {
    report: await opened('report', options.report),
    mapping: await opened('mapping', options.mapping),
  };
  return {
    async write(name: Name, value: unknown): Promise<void> {
      await open[name]?.truncate();
      await open[name]?.writeFile(`${printableJson(value)}\n`);
    },
    async [Symbol.asyncDispose]() {
      await open.report?.close();
      await open.mapping?.close();
    },
  };
}

async function opened(name: Name, file: string | undefined): Promise<FileHandle | undefined> {
  if (file === undefined) return undefined;
  try {
    // A dry run leaves an earlier mapping.
    return await open(file, 'a', 0o600);
  } catch (error) {
    throw new UsageError(`--${name}: ${file} cannot be written: ${(error as Error).message}`);
  }
}
