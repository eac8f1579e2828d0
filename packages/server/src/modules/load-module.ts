import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ModuleOptionFault, ModuleOptions, ModuleOptionsError } from '@watchword/protocol';

interface NamedModule {
  readonly name: string;
  begin: unknown;
  resume: unknown;
}

type Factory<Module> = (options: ModuleOptions) => Module | Promise<Module>;

/** A module that was named in the configuration and cannot be had. Its message tells an operator what to do. */
export class ModuleLoadError extends Error {
  override readonly name = 'ModuleLoadError';
  /** What is wrong with its options, where that is the reason. */
  readonly optionFaults: readonly ModuleOptionFault[];

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.optionFaults = isOptionsError(cause) ? cause.faults : [];
  }
}

/** Known by its name: a package may have a copy of the protocol of its own. */
function isOptionsError(cause: unknown): cause is ModuleOptionsError {
  return cause instanceof Error && cause.name === 'ModuleOptionsError' && 'faults' in cause;
}

/** How Node.js ends its message when a name that was given to this file leads nowhere. */
const importedFromHere = ` imported from ${import.meta.filename}`;

/**
 * Finds the module of a name in the configuration: one that is built in, or a package, file or folder of a package whose default
 * export is a factory. A path begins with `.` or `/`; a relative one is meant from the working directory.
 *
 * @throws ModuleLoadError
 */
export async function loadModule<Module extends NamedModule>(
  name: string,
  builtIn: Readonly<Record<string, Factory<Module>>>,
  options: ModuleOptions,
): Promise<Module> {
  const own = Object.hasOwn(builtIn, name) ? builtIn[name] : undefined;
  const factory = own ?? (await importFactory<Module>(name, Object.keys(builtIn)));
  const module = await constructed(name, () => factory(options));
  if (isModule(module)) return module;
  throw new ModuleLoadError(
    `the factory of "${name}" must return an object with name, begin and resume, and returned ${module === null ? 'null' : typeof module}`,
  );
}

async function importFactory<Module>(name: string, builtIn: readonly string[]): Promise<Factory<Module>> {
  const isPath = /^(?:\.{0,2}[/\\]|[A-Za-z]:\\)/.test(name);
  const exported: unknown = await constructed(
    name,
    async () => (await (isPath ? importPath(resolve(name)) : import(name))).default,
    `Expected one of ${builtIn.join(', ')}, the name of an installed package, or the path of a file`,
  );
  if (typeof exported === 'function') return exported as Factory<Module>;
  throw new ModuleLoadError(
    `"${name}" must export a factory as its default, and exports ${exported === undefined ? 'none' : typeof exported}`,
  );
}

/** A file, or the folder of a package, whose `main` is meant. */
async function importPath(path: string): Promise<{ readonly default?: unknown }> {
  try {
    return await import(pathToFileURL(path).href);
  } catch (error) {
    if (!(error instanceof Error) || !('code' in error)) throw error;
    if (error.code !== 'ERR_UNSUPPORTED_DIR_IMPORT') throw error;
    return import(pathToFileURL(mainOf(path)).href);
  }
}

function mainOf(folder: string): string {
  try {
    return createRequire(import.meta.url).resolve(folder);
  } catch (cause) {
    throw new Error('the folder has no package.json whose "main" is a file, and no index.js', { cause });
  }
}

async function constructed<Value>(
  name: string,
  make: () => Value | Promise<Value>,
  expected = '',
): Promise<Value> {
  try {
    return await make();
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    // Nothing has the name, as opposed to a file that is there and has an error in it or lacks a package.
    const advice = reason.endsWith(importedFromHere) ? `. ${expected}` : '';
    const problem = `"${name}" cannot be loaded: ${reason.replace(importedFromHere, '')}${advice}`;
    throw new ModuleLoadError(problem, cause);
  }
}

function isModule(value: unknown): value is NamedModule {
  if (typeof value !== 'object' || value === null) return false;
  const { name, begin, resume } = value as Partial<NamedModule>;
  return (
    typeof name === 'string' && name !== '' && typeof begin === 'function' && typeof resume === 'function'
  );
}
