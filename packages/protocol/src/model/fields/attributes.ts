import type { TextMapKind } from './kind.ts';
import { type CheckContext, textProblems } from './problems.ts';

type Attributes = Readonly<Record<string, string>>;

export const attributesKind = { type: 'textMap', maxMembers: 100 } as const satisfies TextMapKind;

/** Names and values of all attributes together, in UTF-8. */
export const maxAttributeBytes = 8192;

export function* attributeProblems(
  attributes: Attributes,
  { before = {} }: CheckContext<Attributes>,
): Iterable<string> {
  const entries = Object.entries(attributes);
  if (entries.length > attributesKind.maxMembers) yield `are more than ${attributesKind.maxMembers}`;
  for (const [name, value] of entries) {
    // A program that copies attributes one by one would change the prototype of its copy.
    if (name === '__proto__') yield 'have the name __proto__';
    yield* textProblems(name);
    yield* textProblems(value);
  }
  const size = bytesOf(attributes);
  // The other fields of a record can be changed, even if an older release accepted more attributes.
  if (size > maxAttributeBytes && size > bytesOf(before)) {
    yield `have ${size} bytes together, more than ${maxAttributeBytes}`;
  }
}

function bytesOf(attributes: Attributes): number {
  return Object.entries(attributes).reduce((sum, pair) => sum + Buffer.byteLength(pair.join('')), 0);
}
