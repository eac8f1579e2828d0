import { OAuthError } from '../model/errors/errors.ts';
import { because } from '../model/errors/rules/error-rules.ts';
import { identifierOf, identifierPattern } from '../model/identifier.ts';
import { reservedNames } from './built-in-records.ts';
import type { Violations } from './registration.ts';

type Identifier = 'key' | 'clientId';

/** Checks the form of an identifier that is chosen for a new record. @param chosen `undefined` if it is made from the name */
export function checkChosen(field: Identifier, chosen: string | undefined, violations: Violations): void {
  if (chosen === undefined) return;
  if (!identifierPattern.test(chosen)) {
    violations.add(
      field,
      'must be 1 to 255 characters of a-z 0-9 _ -, with a letter or digit at both ends',
      chosen,
    );
  }
  if (reservedNames.has(chosen))
    violations.add(field, 'belongs to the administration interface of this server');
}

/** @param find the record that has it, in the transaction that will use it @throws OAuthError `conflict` if there is one */
export async function checkFree(
  field: Identifier,
  chosen: string | undefined,
  find: (identifier: string) => Promise<unknown>,
): Promise<void> {
  if (chosen === undefined || (await find(chosen)) === undefined) return;
  throw new OAuthError('conflict', because('consistent_records', { field, chosen }));
}

/** The identifier that was chosen for a new record, or those that its name may be registered under. */
export function identifiersOf(given: string | undefined, name: string, fallback: string): Iterable<string> {
  return given === undefined ? slugCandidates(name, fallback, reservedNames) : [given];
}

/**
 * The identifiers that a name may be registered under, best first: as {@link identifierOf}; then with `2`, `3`, … appended.
 *
 * @param reserved identifiers that are never used
 */
export function* slugCandidates(
  name: string,
  fallback: string,
  reserved: ReadonlySet<string> = new Set(),
): Generator<string> {
  const slug = identifierOf(name, fallback);
  if (!reserved.has(slug)) yield slug;
  for (let suffix = 2; ; suffix += 1) yield `${slug}${suffix}`;
}
