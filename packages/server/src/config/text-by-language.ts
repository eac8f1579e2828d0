import * as v from 'valibot';
import { isShortText } from './checks.ts';
import { json, type Kind, type Schema } from './kinds.ts';
import { expectedConfidential } from './messages.ts';

/** A text, or one for each language tag. */
export type TextByLanguage = string | Readonly<Record<string, string>>;

export function textByLanguage(maxLength: number): Schema<TextByLanguage> {
  const isText = isShortText(maxLength);
  const isByLanguage = (value: unknown) =>
    typeof value === 'object' &&
    value !== null &&
    Object.keys(value).length > 0 &&
    Object.entries(value).every(([tag, text]) => isTag(tag) && typeof text === 'string' && isText(text));
  return v.custom<TextByLanguage>(
    (value) => (typeof value === 'string' ? isText(value) : isByLanguage(value)),
    expectedConfidential(
      `a text of at most ${maxLength} characters, or an object of such texts by language tags such as en`,
    ),
  );
}

function isTag(tag: string): boolean {
  try {
    return Intl.getCanonicalLocales(tag)[0] === tag;
  } catch {
    return false;
  }
}

/** As text it is the text itself, or JSON. */
export function textOrTexts(maxLength: number): Kind<TextByLanguage> {
  const schema = textByLanguage(maxLength);
  const fromJson = json('an object of texts by language tags', schema);
  const isJson = (value: unknown) => typeof value === 'string' && value.trimStart().startsWith('{');
  return { fromFile: schema, fromText: v.lazy((value) => (isJson(value) ? fromJson : schema)) };
}
