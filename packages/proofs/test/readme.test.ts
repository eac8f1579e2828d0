import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { DpopKey } from '@watchword/testkit/dpop-key';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

describe('the README', () => {
  it('has an example that runs', async () => {
    const [, code = ''] = /^```js\n(.*?)^```/ms.exec(readme) ?? [];
    const body = code.replace(/^import (.*) from .*$/m, 'const $1 = modules;').replace('export ', '');
    const keyOf = new Function('modules', `${body}\nreturn keyOf;`)(await import('@watchword/proofs'));
    const key = await DpopKey.create();
    const url = 'https://api.example.org/orders';
    const request = async (method: string) =>
      new Request(url, { method, headers: { dpop: await key.proof({ url, accessToken: 'token' }) } });
    assert.equal((await keyOf(await request('GET'), 'token')).jkt, key.jkt);
    assert.equal((await keyOf(await request('POST'), 'token')).refused, 'method');
  });
});
