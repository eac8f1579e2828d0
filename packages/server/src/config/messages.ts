import type * as v from 'valibot';
import { kindOf } from '../schemas.ts';
import { maskCredentials } from './mask.ts';

/** Messages of the schemas of settings: what was expected, and what came. */

type Issue = v.BaseIssue<unknown>;

const maxShown = 100;

export function expected(what: string) {
  return ({ input }: Issue): string => `expected ${what}, got ${shown(input)}`;
}

/** For values that can contain secrets: the message has only the kind of the value. */
export function expectedConfidential(what: string) {
  return ({ input }: Issue): string => `expected ${what}, got ${kindOf(input)}`;
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = maskCredentials(typeof value === 'number' ? String(value) : JSON.stringify(value));
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}
