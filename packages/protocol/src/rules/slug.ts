import { OAuthError } from '../model/errors.ts';
import { reservedNames } from './built-in-records.ts';
import { Violations } from './registration.ts';

const identifier = /^[a-z0-9](?:[a-z0-9_-]{0,253}[a-z0-9])?$/;

/**
 * Checks a key or clientId that is chosen for a new record, and not made from its name.
 *
 * @param taken the record that has it already
 * @throws OAuthError `invalid_request`; `conflict` if it is taken
 */
export function checkChosen(field: 'key' | 'clientId', chosen: string, taken: object | undefined): void {
  const violations = new Violations();
  if (!identifier.test(chosen)) {
    violations.add(
      field,
      'must be 1 to 255 characters of a-z 0-9 _ -, with a letter or digit at both ends',
      chosen,
    );
  }
  if (reservedNames.has(chosen))
    violations.add(field, 'belongs to the administration interface of this server');
  violations.throwIfAny();
  if (taken === undefined) return;
  throw new OAuthError('conflict', {
    description: `There is a record with the ${field} ${chosen} already; choose another one.`,
  });
}

/**
 * The identifiers that a name may be registered under, best first: lower case, spaces to `-`, only
 * `a-z 0-9 _ -`, with a letter or digit at both ends, because a command takes a word that begins with `-` for an option; then with
 * `2`, `3`, … appended. `fallback` serves a name of which nothing is left.
 *
 * @param reserved identifiers that are never used
 */
export function* slugCandidates(
  name: string,
  fallback: string,
  reserved: ReadonlySet<string> = new Set(),
): Generator<string> {
  const slug =
    name
      .toLowerCase()
      .replaceAll(' ', '-')
      .replaceAll(/[^a-z0-9_-]/g, '')
      .replaceAll(/^[_-]+|(?<![_-])[_-]+$/g, '') || fallback;
  if (!reserved.has(slug)) yield slug;
  for (let suffix = 2; ; suffix += 1) yield `${slug}${suffix}`;
}
