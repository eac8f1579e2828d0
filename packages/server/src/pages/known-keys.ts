import { protocolErrors } from '@watchword/protocol';
import { nearest } from './nearest.ts';

/** What is wrong with a key of a locale file, which would change nothing; `undefined` when some page may ask for it. */
export function keyProblem(key: string, known: ReadonlyMap<string, string>): string | undefined {
  if (known.has(key) || ownKeys.test(key) || isOfAnError(key)) return undefined;
  const near = nearest(key, [...known.keys()]);
  const hint = near === undefined ? '' : `; did you mean ${near}?`;
  return `expected a key of the built-in texts, scope.{name}, or own.{name} for modules and templates of your own, got ${JSON.stringify(key.slice(0, 100))}${hint}`;
}

/** Of scopes, and of what operators write themselves. */
const ownKeys = /^(?:scope|own)\../s;

/** Every error may have texts of its own; where it has none, those of its family stand in. */
function isOfAnError(key: string): boolean {
  const [, kind = ''] = /^error\.(\w+)\.(?:title|advice|wait)$/.exec(key) ?? [];
  return Object.hasOwn(protocolErrors, kind);
}
