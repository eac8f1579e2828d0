import { withEscapes, withHidden } from '@watchword/protocol';
import type * as v from 'valibot';
import { kindOf } from '../schemas.ts';
import { maskCredentials } from './mask.ts';

/** Messages of the schemas of settings: what was expected, and what came. */

type Issue = v.BaseIssue<unknown>;

const maxShown = 100;

/** @param advice what to do about the value */
export function expected(what: string, advice?: (value: string) => string | undefined) {
  return ({ input }: Issue): string => withAdvice(`expected ${what}, got ${shown(input)}`, input, advice);
}

/** For values that can contain secrets: the message has only the kind of the value, and characters that nobody sees in it. */
export function expectedConfidential(what: string, advice?: (value: string) => string | undefined) {
  return ({ input }: Issue): string => withAdvice(`expected ${what}, got ${kindOf(input)}`, input, advice);
}

function withAdvice(
  problem: string,
  value: unknown,
  adviceOn: (value: string) => string | undefined = () => undefined,
): string {
  if (typeof value !== 'string') return problem;
  const advice = adviceOn(value);
  return withHidden(advice === undefined ? problem : `${problem}; ${advice}`, value);
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = maskCredentials(
    typeof value === 'number' ? String(value) : withEscapes(JSON.stringify(value)),
  );
  return text.length > maxShown ? `${text.slice(0, maxShown)}…` : text;
}
