import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it, mock } from 'node:test';
import { defaultLimits } from '@watchword/outbound';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

describe('the README', () => {
  it('has an example that runs', async () => {
    const [, code = ''] = /^```ts\n(.*?)^```/ms.exec(readme) ?? [];
    const source = code
      .replace("'@watchword/outbound'", JSON.stringify(import.meta.resolve('@watchword/outbound')))
      .replace('(jwksUri: string): Promise<unknown>', '(jwksUri)');
    const { clientKeys } = await import(`data:text/javascript,${encodeURIComponent(source)}`);
    const warn = mock.method(console, 'warn', () => {});
    assert.equal(await clientKeys('https://127.0.0.1:1/jwks'), undefined);
    assert.match(
      String(warn.mock.calls[0]?.arguments[0]),
      /^the keys of the client cannot be loaded: 127\.0\.0\.1 is at/,
    );
    warn.mock.restore();
  });

  it('names every kind of error, in the order of the type', () => {
    const source = readFileSync(new URL('../src/outbound-error.ts', import.meta.url), 'utf8');
    const kinds = [...source.matchAll(/^ {2}\| '([\w-]+)'/gm)].map(([, kind]) => kind);
    const listed = [...readme.matchAll(/^\| `([a-z]+(?:-[a-z]+)*)` \| [^`|]*[a-z][^`|]*\|$/gm)].map(
      ([, kind]) => kind,
    );
    assert.deepEqual(listed, kinds);
  });

  it('has the defaults', () => {
    for (const [name, value] of Object.entries(defaultLimits)) {
      assert.ok(readme.includes(`| \`${name}\` | ${value.toLocaleString('en')} |`), name);
    }
  });
});
