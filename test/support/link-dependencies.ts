import { readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const installed = fileURLToPath(new URL('../../node_modules', import.meta.url));

/** Puts every installed package of others into another `node_modules`; the project's own are those under test. */
export async function linkDependencies(modules: string): Promise<void> {
  for (const name of await readdir(installed)) {
    if (name === '@watchword' || name.startsWith('.')) continue;
    await symlink(join(installed, name), join(modules, name), 'junction');
  }
}
