import { nearestName, protocolErrors, shown } from '@watchword/protocol';

/** The problem of a key of a locale file that no page uses; `undefined` for a key that a page can use. */
export function keyProblem(key: string, known: ReadonlyMap<string, string>): string | undefined {
  if (known.has(key) || ownKeys.test(key) || isOfAnError(key)) return undefined;
  return `expected a key of the built-in texts, scope.{name}, or own.{name} for your modules and templates, ${got(key, known)}`;
}

/** The same for the administration GUI, which has only built-in texts. */
export function consoleKeyProblem(key: string, known: ReadonlyMap<string, string>): string | undefined {
  if (known.has(key)) return undefined;
  return `expected a key of the built-in texts of the administration GUI, ${got(key, known)}`;
}

function got(key: string, known: ReadonlyMap<string, string>): string {
  const near = nearestName(key, [...known.keys()]);
  const hint = near === undefined ? '' : `; did you mean ${near}?`;
  return `got ${shown(key, 100)}${hint}`;
}

/** Keys of scopes, and keys that operators define. */
const ownKeys = /^(?:scope|own)\../s;

/** Every error can have its own texts. Without them a page uses the texts of its family. */
function isOfAnError(key: string): boolean {
  const [, kind = ''] = /^error\.(\w+)\.(?:title|advice|wait)$/.exec(key) ?? [];
  return Object.hasOwn(protocolErrors, kind);
}
