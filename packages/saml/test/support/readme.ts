import { readFileSync } from 'node:fs';

export const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');

/** The content of its blocks of YAML. */
export const yamlOfReadme = [...readme.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(
  ([, content = '']) => content,
);
