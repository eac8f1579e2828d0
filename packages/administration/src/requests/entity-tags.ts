import type { EditCondition } from '../changes/edit.ts';

/** @param tag that names a state of the record */
export function entityTag(tag: string): string {
  return `"${tag}"`;
}

/** The condition of `If-Match` (RFC 9110 §13.1.1); a weak tag matches no state. */
export function ifMatch(header: string | undefined): EditCondition | undefined {
  if (header === undefined) return undefined;
  const tags = header.split(',').map((tag) => tag.trim());
  return (current) => tags.includes('*') || tags.includes(entityTag(current));
}
