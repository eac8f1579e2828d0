import { readKeySet } from '@watchword/proofs';
import type { AssertionIssuer } from '../assertion-issuer.ts';
import { shown } from '../hidden-characters.ts';
import { assertionIssuerProblems } from './assertion-issuers.ts';
import type { Kind, ValueOf } from './kind.ts';
import { textProblems } from './problems.ts';

/**
 * The problems of a value of a field without its own check: the value exceeds the limits of its kind, or contains a text that
 * cannot be stored or shown.
 */
export function kindProblems<K extends Kind>(kind: K, value: ValueOf<K>): Iterable<string>;
export function* kindProblems(kind: Kind, value: ValueOf<Kind>): Iterable<string> {
  if (kind.type === 'text') yield* textProblems(value as string, kind.maxLength);
  if (kind.type === 'choice') yield* choiceProblems(kind.values, value as string);
  if (kind.type === 'wholeNumber') {
    const { minimum, maximum = Number.MAX_SAFE_INTEGER } = kind;
    const isInRange = Number.isSafeInteger(value) && Number(value) >= minimum && Number(value) <= maximum;
    if (!isInRange) yield `is not a whole number from ${minimum} to ${maximum}`;
  }
  if (kind.type === 'texts' || kind.type === 'scopes') {
    const texts = value as readonly string[];
    if (texts.length > (kind.maxItems ?? Number.POSITIVE_INFINITY)) yield `are more than ${kind.maxItems}`;
    for (const text of texts) {
      yield* kind.type === 'texts' && kind.values !== undefined
        ? choiceProblems(kind.values, text)
        : textProblems(text, kind.maxLength);
    }
  }
  if (kind.type === 'textMap') {
    const members = Object.entries(value as Readonly<Record<string, string>>);
    if (members.length > kind.maxMembers) yield `are more than ${kind.maxMembers}`;
    for (const [name, text] of members) {
      yield* kind.names === undefined ? textProblems(name) : choiceProblems(kind.names, name);
      yield* textProblems(text, kind.maxLength);
    }
  }
  if (kind.type === 'keySet') {
    const read = readKeySet(value);
    if ('problem' in read) yield read.problem;
  }
  if (kind.type === 'assertionIssuers') yield* assertionIssuerProblems(value as readonly AssertionIssuer[]);
}

/** Of a text that must be one of the list. */
export function* choiceProblems(values: readonly string[], value: string): Iterable<string> {
  if (values.includes(value)) return;
  const allowed = values.map((each) => (each === '' ? 'empty' : each));
  yield `is ${shown(value, 40)}, and must be one of: ${allowed.join(', ')}`;
}
