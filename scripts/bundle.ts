import { relative } from 'node:path';

export interface BundleOptions {
  /** Paths of source files by the names of their files in `directory`, without extension. */
  readonly input: Readonly<Record<string, string>>;
  /** What is written: a file for each input, and files of what several inputs, or inputs later, need. It lies in the root of `home`. */
  readonly directory: string;
  /** The folder of a package, absolute. Its sources find files beside them as if the bundle were not there. */
  readonly home: string;
  /** Whether an import, as it stands in a source, stays one. */
  isExternal(specifier: string): boolean;
  /** For programs that `require` it, as `.cjs`; ES modules otherwise. */
  readonly commonJs?: boolean;
  /** Texts in place of those of source files, by their absolute paths. */
  readonly changed?: ReadonlyMap<string, string>;
}

/**
 * Writes modules, and what they import, as few files: Node.js needs more time to find, read and link a module than to compile it.
 *
 * @returns the names that each file exports, by its own name
 */
export async function bundle({
  input,
  directory,
  home,
  isExternal,
  commonJs = false,
  changed = new Map(),
}: BundleOptions): Promise<ReadonlyMap<string, readonly string[]>> {
  const { rolldown } = await import('rolldown');
  const build = await rolldown({
    input: { ...input },
    platform: 'node',
    resolve: { conditionNames: ['source', 'node'] },
    external: (specifier) => isExternal(specifier),
    logLevel: 'silent',
    plugins: [
      changed.size > 0 && { name: 'changes', load: (file) => changed.get(file) },
      {
        name: 'places',
        transform: {
          filter: { code: 'import.meta.url' },
          handler: (code, file) => keepPlace(code, file, home),
        },
      },
    ],
  });
  const { output } = await build.write({
    dir: directory,
    sourcemap: false,
    ...(commonJs
      ? { format: 'cjs', entryFileNames: '[name].cjs', chunkFileNames: '[name].cjs' }
      : { format: 'esm', chunkFileNames: '[name].js' }),
  });
  await build.close();
  return new Map(output.flatMap((file) => (file.type === 'chunk' ? [[file.fileName, file.exports]] : [])));
}

/** A source finds files beside it by its own address: what it gets instead is as far from the bundle as its file is from the sources. */
function keepPlace(code: string, file: string, home: string): string {
  const place = JSON.stringify(`../${relative(home, file).replaceAll('\\', '/')}`);
  return code.replaceAll('import.meta.url', `new URL(${place}, import.meta.url).href`);
}
