import { readFileSync } from 'node:fs';

export interface CodeBlock {
  readonly language: string;
  /** The file name, where the first line of the block has one: `// badge-login.js`. */
  readonly file: string | undefined;
  readonly code: string;
}

/** The code of a guide, block by block. */
export function codeOf(guide: string): CodeBlock[] {
  const text = readFileSync(new URL(`../../../../docs/guides/${guide}`, import.meta.url), 'utf8');
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(([, language = '', code = '']) => {
    const [, file] = /^(?:\/\/|#) (\S*\.\w+)\n/.exec(code) ?? [];
    return { language, file, code };
  });
}

/** The code of the block with this file name. */
export function fileOf(guide: string, name: string): string {
  const found = codeOf(guide).find(({ file }) => file === name);
  if (found === undefined) throw new Error(`the guide has no file ${name}`);
  return found.code;
}

/** The code of a module of `examples/modules`, to which the guides have a link. */
export function exampleModule(name: string): string {
  return readFileSync(new URL(`../../../../examples/modules/${name}`, import.meta.url), 'utf8');
}
