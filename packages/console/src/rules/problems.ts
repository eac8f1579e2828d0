/** What is wrong with the fields of a record, by field; each a phrase that follows the name of the field. */
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
    const [, name = '', problem = ''] = /^(\w+): ([\s\S]*)$/.exec(violation) ?? [];
    const field = fields.find((candidate) => candidate === name);
    if (field === undefined) others.push(violation);
    else byField[field] = [...(byField[field] ?? []), problem];
  }
  return { byField, others };
}

/** A problem as a sentence below its field. */
export function sentence(label: string, problem: string): string {
  // Where it begins with the value that is wrong, the name of the field would be in the way.
  const text = /^[a-z]/.test(problem) ? `${label} ${problem}` : problem;
  return text.endsWith('.') ? text : `${text}.`;
}
