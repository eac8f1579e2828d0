import { readFileSync } from 'node:fs';

/** The examples of a guide that begin with the name of a file, such as `// badge-login.js`, by that name. */
export function filesOf(guide: string): ReadonlyMap<string, string> {
  const text = readFileSync(new URL(`../../../../docs/guides/${guide}`, import.meta.url), 'utf8');
  const examples = [...text.matchAll(/^```\w+\n(?:\/\/|#) (\S+\.\w+)\n([\s\S]*?)^```$/gm)];
  return new Map(examples.map(([, name = '', content = '']) => [name, content]));
}
