import { globSync } from 'node:fs';
import { basename } from 'node:path';
import { read, root } from '../contents.ts';

/** What each page gives to its template: each template begins with a comment that has it. */
export function templateReference(): string {
  const templates = globSync('packages/server/templates/*.eta', { cwd: root })
    .toSorted()
    .map((file) => ({ name: basename(file, '.eta'), values: valuesOf(read(file)) }));
  const common = templates.find(({ name }) => name === 'layout')?.values ?? '';
  const pages = templates.filter(({ name, values }) => name !== 'layout' && values !== '');
  return `# Values of templates

A template of your own gets the values of the built-in template of its name, as members of \`it\`.

## Every template

${common}

${pages.map(({ name, values }) => `## ${name}\n\n${values}`).join('\n\n')}
`;
}

/** The comment at the beginning of a template. */
function valuesOf(template: string): string {
  return /^<% \/\*\n([\s\S]*?)\n\*\/ %>/.exec(template)?.[1] ?? '';
}
