import { fill, type Values } from '../texts/format.ts';
import type { TextKey, TextParameters } from '../texts/parameters.ts';
import { language, textOf, type ValuesOf } from '../texts/texts.ts';

/** What is wrong with the fields of a record, by field; each a sentence with `{field}` in the place of the name of the field. */
export type Problems<Field extends string = string> = Readonly<Partial<Record<Field, readonly string[]>>>;

/** A rule looks at the whole record, for some concern several fields. */
export type Rules<Fields> = (fields: Fields) => Problems<Extract<keyof Fields, string>>;

/** Those fields of which something is wrong. */
export function collect<Field extends string>(
  found: Readonly<Record<Field, readonly (string | undefined)[]>>,
): Problems<Field> {
  const problems: Partial<Record<Field, readonly string[]>> = {};
  for (const [field, texts] of Object.entries(found) as [Field, (string | undefined)[]][]) {
    const found = texts.filter((text) => text !== undefined);
    if (found.length > 0) problems[field] = found;
  }
  return problems;
}

/** Sorts the violations of the server's answer, `field: what is wrong`, by the fields of a form. */
export function problemsOf<Field extends string>(
  violations: readonly string[],
  fields: readonly Field[],
): { readonly byField: Problems<Field>; readonly others: readonly string[] } {
  const byField: Partial<Record<Field, string[]>> = {};
  const others: string[] = [];
  for (const violation of violations) {
    const [, name = '', phrase = ''] = /^(\w+): ([\s\S]*)$/.exec(violation) ?? [];
    const field = fields.find((candidate) => candidate === name);
    if (field === undefined) others.push(violation);
    else byField[field] = [...(byField[field] ?? []), phrase];
  }
  return { byField, others };
}

type RuleKey = Extract<TextKey, `rule.${string}`>;

/** A text about a field. The form that shows it knows how the field is called. */
export function problem<Key extends RuleKey>(
  key: Key,
  ...values: ValuesOf<Omit<TextParameters[Key], 'field'>>
): string {
  const [given = {}] = values as readonly Values[];
  return fill(textOf(key), given, language());
}

/** A problem as a sentence below its field. */
export function sentence(label: string, problem: string): string {
  if (problem.includes('{field}')) return problem.replace('{field}', () => label);
  // A phrase of the server, which follows the name of the field. Where it begins with the value that is wrong, the name of
  // the field would be in the way.
  const text = /^[a-z]/.test(problem) ? `${label} ${problem}` : problem;
  return text.endsWith('.') ? text : `${text}.`;
}
