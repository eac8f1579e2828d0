import { withEscapes } from '../../../protocol/src/model/hidden-characters.ts';
import { t } from '../texts/texts.ts';

/** A value of a record or a form as people read it. */
export function valueText(value: unknown): string {
  if (isEmpty(value)) return '—';
  if (typeof value === 'boolean') return t(value ? 'value.yes' : 'value.no');
  if (Array.isArray(value)) return value.map(memberText).join(' ');
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value)
      .map(([name, member]) => memberText({ name, value: member }))
      .join(' ');
  }
  return withEscapes(String(value));
}

export function isEmpty(value: unknown): boolean {
  if (value === undefined || value === null || value === '') return true;
  return typeof value === 'object' && Object.keys(value).length === 0;
}

/** A text, or a text by name. */
function memberText(member: unknown): string {
  if (typeof member !== 'object' || member === null) return withEscapes(String(member));
  const { name, value }: { readonly name?: unknown; readonly value?: unknown } = member;
  return name === undefined ? withEscapes(JSON.stringify(member)) : `${name}=${valueText(value)}`;
}

/** The text for a language (BCP 47), else the one for its primary language; `undefined` without both. */
export function textIn(tag: string, texts: Readonly<Record<string, string>>): string | undefined {
  const [primary = ''] = tag.split('-');
  return texts[tag] ?? texts[primary];
}
