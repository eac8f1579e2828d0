import * as v from 'valibot';

/** What the schemas of settings and of the contract of modules share. */

type Message = string | ((issue: v.BaseIssue<unknown>) => string);

export function wholeNumberSchema(minimum: number, maximum: number, message: Message) {
  return v.pipe(
    v.number(message),
    v.safeInteger(message),
    v.minValue(minimum, message),
    v.maxValue(maximum, message),
  );
}

/** The kind of a value, for messages that must not show the value because it can be a secret. */
export function kindOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty list' : 'a list';
  return kinds[typeof value] ?? typeof value;
}

const kinds: Readonly<Record<string, string>> = {
  string: 'a text',
  number: 'a number',
  bigint: 'a bigint',
  boolean: 'a boolean',
  object: 'an object',
  function: 'a function',
};
