import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ModuleOptionProblem, ModuleOptions, ModuleOptionsError } from '@watchword/protocol';

interface NamedModule {
  readonly name: string;
}

type Factory<Module, Options> = (options: Options) => Module | Promise<Module>;

/** The methods of authentication and consent modules. */
const stepMethods = ['begin', 'resume'];

/** A module of the configuration that cannot be loaded. The message has advice for the operator. */
export class ModuleLoadError extends Error {
  override readonly name = 'ModuleLoadError';
  /** The problems of its options, if they are the reason. */
  readonly optionProblems: readonly ModuleOptionProblem[];

  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.optionProblems = isOptionsError(cause) ? cause.problems : [];
  }
}

/** Recognized by its name: a package can have its own copy of the protocol. */
function isOptionsError(cause: unknown): cause is ModuleOptionsError {
  return cause instanceof Error && cause.name === 'ModuleOptionsError' && 'problems' in cause;
}

/** The end of the message of Node.js when this file imports a name that does not exist. */
const importedFromHere = ` imported from ${import.meta.filename}`;

/**
 * Loads the module that the configuration names: one that is built in, or a package, file or folder of a package whose
 * default export is a factory. A path begins with `.` or `/`; a relative path starts at the working directory.
 *
 * @throws ModuleLoadError
 */
export async function loadModule<Module extends NamedModule, Options = ModuleOptions>(
  name: string,
  builtIn: Readonly<Record<string, Factory<Module, Options>>>,
  options: Options,
  methods: readonly string[] = stepMethods,
): Promise<Module> {
  const own = Object.hasOwn(builtIn, name) ? builtIn[name] : undefined;
  const factory = own ?? (await importFactory<Module, Options>(name, Object.keys(builtIn)));
  const module = await constructed(name, () => factory(options));
  if (isModule(module, methods)) return module;
  throw new ModuleLoadError(
    `the factory of "${name}" must return an object with name, ${methods.slice(0, -1).join(', ')} and ${methods.at(-1)}, and returned ${module === null ? 'null' : typeof module}`,
  );
}

async function importFactory<Module, Options>(
  name: string,
  builtIn: readonly string[],
): Promise<Factory<Module, Options>> {
  const isPath = /^(?:\.{0,2}[/\\]|[A-Za-z]:\\)/.test(name);
  const exported: unknown = await constructed(
    name,
    async () => (await (isPath ? importPath(resolve(name)) : import(name))).default,
    `Expected one of ${builtIn.join(', ')}, the name of an installed package, or the path of a file`,
  );
  if (typeof exported === 'function') return exported as Factory<Module, Options>;
  throw new ModuleLoadError(
    `"${name}" must export a factory as its default, and exports ${exported === undefined ? 'none' : typeof exported}`,
  );
}

/** A file, or the `main` of the package in a folder. */
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
    // The name does not exist. Otherwise the file exists, and has an error or needs a package that is missing.
    const advice = reason.endsWith(importedFromHere) ? `. ${expected}` : '';
    const problem = `"${name}" cannot be loaded: ${reason.replace(importedFromHere, '')}${advice}`;
    throw new ModuleLoadError(problem, cause);
  }
}

function isModule(value: unknown, methods: readonly string[]): value is NamedModule {
  if (typeof value !== 'object' || value === null) return false;
  const { name, ...members } = value as Readonly<Record<string, unknown>>;
  const isFunction = (method: string) => typeof members[method] === 'function';
  return typeof name === 'string' && name !== '' && methods.every(isFunction);
}
