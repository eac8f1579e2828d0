import { type Branding, type MalformedField, nearestName, shown } from '@watchword/protocol';

/** Texts by `language/key`. */
export function flatTexts(texts: Branding['texts']): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(texts).flatMap(([language, ofIt]) =>
      Object.entries(ofIt).map(([key, text]) => [`${language}/${key}`, text]),
    ),
  );
}

export const maxTextLength = 1000;
export const maxTexts = 4000;

/** Reads texts by `language/key`. @param known the English texts by their keys */
export function textsByLanguage(
  flat: Readonly<Record<string, string>>,
  known: Readonly<Record<string, string>>,
) {
  const texts: Record<string, Record<string, string>> = {};
  const malformed: MalformedField[] = [];
  const count = Object.keys(flat).length;
  if (count > maxTexts)
    malformed.push({ field: 'texts', problem: `expected at most ${maxTexts}, got ${count}` });
  for (const [name, text] of Object.entries(flat)) {
    const [tag = '', key = ''] = name.split(/\/(.*)/s, 2);
    const language = canonical(tag);
    const problem =
      language === undefined
        ? 'expected the tag of a language, such as de/login.title'
        : textProblem(key, text, known);
    if (problem !== undefined) malformed.push({ field: 'texts', problem: `${shown(name, 100)}: ${problem}` });
    else if (language !== undefined && text.trim() !== '')
      texts[language] = { ...texts[language], [key]: text };
  }
  return { texts, malformed };
}

function textProblem(key: string, text: string, known: Readonly<Record<string, string>>): string | undefined {
  if (text.length > maxTextLength) return `expected at most ${maxTextLength} characters, got ${text.length}`;
  if (/^scope\../s.test(key)) return undefined;
  if (!Object.hasOwn(known, key)) {
    const near = nearestName(key, Object.keys(known));
    return `expected the key of a text of pages, or scope.{name}${near === undefined ? '' : `; did you mean ${near}?`}`;
  }
  const values = new Set(valuesIn(known[key] ?? ''));
  const other = valuesIn(text).find((value) => !values.has(value));
  if (other === undefined) return undefined;
  return values.size === 0
    ? `expected a text without values, got ${other}`
    : `expected no other values than ${[...values].join(', ')}, got ${other}`;
}

function valuesIn(text: string): readonly string[] {
  return text.match(/\{\w+(?::duration)?\}/g) ?? [];
}

function canonical(tag: string): string | undefined {
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}
