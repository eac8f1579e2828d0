import { readFileSync, writeFileSync } from 'node:fs';

/** A target of `exports`, or targets by condition. */
export type Target = string | { readonly [conditionOrPath: string]: Target };

/** What of a package.json is used here. */
export interface Manifest {
  readonly [field: string]: unknown;
  readonly exports?: Target;
  readonly imports?: Target;
}

export function readManifest(): Manifest {
  return JSON.parse(readFileSync('package.json', 'utf8'));
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

export function files(target: Target | undefined): string[] {
  if (target === undefined) return [];
  return typeof target === 'string' ? [target] : Object.values(target).flatMap(files);
}

/** The same targets without a condition. */
export function without(condition: string, target: Target): Target {
  if (typeof target === 'string') return target;
  const kept = Object.entries(target).filter(([name]) => name !== condition);
  return Object.fromEntries(kept.map(([name, next]) => [name, without(condition, next)]));
}
