/** The examples of a page, in JavaScript or TypeScript. */
export function examplesOf(page: string): string[] {
  return [...page.matchAll(/^```[jt]s\n(.*?)^```/gms)].map(([, code = '']) => code);
}

/** Runs an example as a module, but for its last line, which listens; `expression; // literal` becomes an assertion. */
// biome-ignore lint/suspicious/noExplicitAny: whatever the example exports
export async function runExample(example: string): Promise<any> {
  const checked = example
    .replace(/^import \{ serve \}.*\n/m, '')
    .replace(/^(?:await )?(?:app|server)\.listen\(.*|^serve\(.*/m, '')
    .replace(/^const (app|server) =/m, 'export const $1 =')
    .replace(/^(\S.*); \/\/ ('.*'|\d+)$/gm, 'equal($1, $2, $2);')
    .replace(
      / from ['"]([^'"]+)['"]/g,
      (_, specifier) => ` from ${JSON.stringify(import.meta.resolve(specifier))}`,
    );
  const source = `import { equal } from 'node:assert/strict';\n${checked}\n// ${Math.random()}`;
  return import(`data:text/javascript,${encodeURIComponent(source)}`);
}
