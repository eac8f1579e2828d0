import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { EndpointError } from '@watchword/endpoint';

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const EXAMPLES = [...README.matchAll(/^```(?:js|ts)\n(.*?)^```/gms)].map(([, code = '']) => code);

/** `expression; // literal` becomes an assertion, so that what the README claims is what is checked. */
function withAssertions(code: string): string {
  return code.replace(
    /^( *)(?!const |import )(\S.*); \/\/ ('.*'|true|false)$/gm,
    '$1equal($2, $3, $2); checked.push(1);',
  );
}

EXAMPLES.forEach((code, index) => {
  const claims = code.match(/; \/\/ ('|true|false)/g)?.length ?? 0;
  test(`README example ${index + 1} does what it says`, async () => {
    const source = withAssertions(code)
      .replace(/'(@watchword\/endpoint[^']*)'/g, (_, name) => JSON.stringify(import.meta.resolve(name)))
      .replace(/: string\b/g, '');
    const assertions = `import { equal } from 'node:assert/strict'; export const checked = [];`;
    const module = encodeURIComponent(`${assertions}\n${source}\n// ${index}`);
    const { checked } = await import(`data:text/javascript,${module}`);
    assert.equal(checked.length, claims);
  });
});

test('the README lists every error code', () => {
  const source = readFileSync(new URL('../src/endpoint-error.ts', import.meta.url), 'utf8');
  const codes = [...source.matchAll(/^ {2}\| '(\w+)'/gm)].map(([, code]) => code);
  const listed = [...README.matchAll(/^\| `([A-Z_]+)` +\|/gm)].map(([, code]) => code);
  assert.deepEqual(listed, codes);
  assert.equal(new EndpointError('MISSING_URL', 'a').name, 'EndpointError');
});
