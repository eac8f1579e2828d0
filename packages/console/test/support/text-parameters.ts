import { placeholder } from '../../src/texts/format.ts';

/** Tags that every text can have. */
const plainTags = new Set(['code', 'strong']);

/** The source of `src/texts/parameters.ts`: the values that each text needs. */
export function textParameters(english: Readonly<Record<string, string>>): string {
  const members = Object.entries(english).map(([key, text]) => `  '${key}': ${membersOf(text)};`);
  return `// Made from packages/server/locales/console/en.json: npm run texts -w packages/console
import type { ReactNode } from 'react';
import type { Value } from './format.ts';

/** Makes the element around the content of a tag. */
export type Tag = (content: ReactNode) => ReactNode;

/** The values of each text. */
export interface TextParameters {
${members.join('\n')}
}

export type TextKey = keyof TextParameters;
`;
}

function membersOf(text: string): string {
  const members = Object.entries(parametersOf(text)).map(([name, type]) => `readonly ${name}: ${type}`);
  return members.length === 0 ? 'object' : `{ ${members.join('; ')} }`;
}

/** The names of the placeholders and tags of a text, each with its type. */
export function parametersOf(text: string): Readonly<Record<string, 'Value' | 'number' | 'Tag'>> {
  const tags = [...text.matchAll(/<(\w+)>/g)]
    .map(([, name = '']) => name)
    .filter((tag) => !plainTags.has(tag));
  const placeholders = [...text.matchAll(new RegExp(placeholder, 'g'))];
  return {
    ...Object.fromEntries(placeholders.map(([, name, format]) => [name, format ? 'number' : 'Value'])),
    ...Object.fromEntries(tags.map((name) => [name, 'Tag'])),
  } as const;
}
