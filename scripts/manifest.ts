import { readFileSync, writeFileSync } from 'node:fs';
import type { Repository } from './repository.ts';

/** A target of `exports`, or targets by condition. */
export type Target = string | { readonly [conditionOrPath: string]: Target };

/** What of a package.json is used here. */
export interface Manifest {
  readonly [field: string]: unknown;
  readonly exports?: Target;
  readonly imports?: Target;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

export function readManifest(): Manifest {
  return JSON.parse(readFileSync('package.json', 'utf8'));
}

/** Without the sources, which are not packed, and the commands and tools of the checkout; with the repository, where it is known. */
export function publishedManifest(
  { scripts, devDependencies, exports, imports, ...rest }: Manifest,
  repository: Repository | undefined,
): Manifest {
  return {
    ...rest,
    ...(repository && { repository }),
    ...(exports && { exports: without('source', exports) }),
    ...(imports && { imports: without('source', imports) }),
  };
}

export function writeManifest(manifest: Manifest): void {
  writeFileSync('package.json', `${JSON.stringify(manifest, undefined, 2)}\n`);
}

/** The files that a condition leads to. */
export function targets(target: Target | undefined, condition: string): string[] {
  if (target === undefined || typeof target === 'string') return [];
  return Object.entries(target).flatMap(([name, next]) =>
    name === condition ? files(next) : targets(next, condition),
  );
}

/** The modules that a build makes, each with its source. */
export function builtSources(
  target: Target | undefined,
): { readonly source: string; readonly built: string }[] {
  if (target === undefined || typeof target === 'string') return [];
  const { source, default: built, ...others } = target;
  if (typeof source === 'string' && typeof built === 'string') return [{ source, built }];
  return Object.values(others).flatMap(builtSources);
}

/** The ES modules for Node.js of exports that are built as CommonJS, each with that file, and its source where it has one of its own. */
export function nodeEntries(
  exports: Target | undefined,
): { readonly module: string; readonly entry: string; readonly source: string | undefined }[] {
  if (exports === undefined || typeof exports === 'string') return [];
  return Object.values(exports).flatMap((target) => {
    const [module] = targets(target, 'node').filter((file) => file.endsWith('.mjs'));
    const [entry] = targets(target, 'require').filter((file) => file.endsWith('.cjs'));
    if (module === undefined || entry === undefined) return [];
    const [source] = targets(target, 'node').filter((file) => file.endsWith('.ts'));
    return [{ module, entry, source }];
  });
}

export function files(target: Target | undefined): string[] {
  if (target === undefined) return [];
  return typeof target === 'string' ? [target] : Object.values(target).flatMap(files);
}

/** The same targets without a condition, and without those that have no other. */
function without(condition: string, target: Target): Target {
  if (typeof target === 'string') return target;
  const kept = Object.entries(target)
    .filter(([name]) => name !== condition)
    .map(([name, next]) => [name, without(condition, next)] as const)
    .filter(([, next]) => typeof next === 'string' || Object.keys(next).length > 0);
  return Object.fromEntries(kept);
}
