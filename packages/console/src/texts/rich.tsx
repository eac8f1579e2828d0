import { createElement, Fragment, type ReactNode } from 'react';
import { fill, placeholder, type Value } from './format.ts';
import type { Tag, TextKey, TextParameters } from './parameters.ts';
import { language, textOf, type ValuesOf } from './texts.ts';

type RichParameters<Parameters> = {
  readonly [Name in keyof Parameters]: Parameters[Name] extends Value | undefined
    ? Parameters[Name] | ReactNode
    : Parameters[Name];
};

type RichValues = Readonly<Record<string, ReactNode | Tag>>;

// Of any other tag only the content is shown: a text of the operator must not stop the page, as a <script> would.
const elements: readonly string[] = ['code', 'strong'];

/** A tag with its content, or a placeholder. */
const special = /(<(\w+)>.*?<\/\2>|\{[^{}]+\})/;

/**
 * A text with elements in it. A value can be an element; a value that is a text gets a `<bdi>`. `<code>` and `<strong>`
 * are elements, and every other tag is a function that makes the element around its content.
 */
export function rich<Key extends TextKey>(
  key: Key,
  ...values: ValuesOf<RichParameters<TextParameters[Key]>>
): ReactNode {
  const [given = {}] = values as unknown as readonly RichValues[];
  return nodesOf(textOf(key), given);
}

function nodesOf(text: string, values: RichValues): ReactNode {
  // Each special part is followed by the name of its tag.
  return text.split(special).map((part, index) => {
    if (index % 3 === 0) return part;
    if (index % 3 === 2) return undefined;
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a text do not move
    return <Fragment key={index}>{nodeOf(part, values)}</Fragment>;
  });
}

function nodeOf(part: string, values: RichValues): ReactNode {
  const [, tag, content = ''] = /^<(\w+)>(.*)<\/\w+>$/s.exec(part) ?? [];
  if (tag !== undefined) {
    const make = Object.hasOwn(values, tag) ? values[tag] : undefined;
    const inner = nodesOf(content, values);
    if (typeof make === 'function') return make(inner);
    return elements.includes(tag) ? createElement(tag, null, inner) : inner;
  }
  const [, name = '', format] = placeholder.exec(part) ?? [];
  const value = Object.hasOwn(values, name) ? values[name] : undefined;
  if (typeof value === 'string') return <bdi>{value}</bdi>;
  if (typeof value === 'number') return fill(part, { [name]: value }, language());
  return value === undefined && format === undefined ? part : (value as ReactNode);
}
