import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { startMailServer } from '@watchword/server-testkit/neighbours/mail-server';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

describe('the README', () => {
  it('has an example that runs', async () => {
    await using server = await startMailServer();
    const [, code = ''] = /^```js\n(.*?)^```/ms.exec(readme) ?? [];
    const source = code
      .replace("'@watchword/mail'", JSON.stringify(import.meta.resolve('@watchword/mail')))
      .replace('smtp://localhost:2525', server.url);
    await import(`data:text/javascript,${encodeURIComponent(source)}`);
    assert.equal(server.received[0]?.mail.text?.trim(), 'Hello Emma');
  });
});
