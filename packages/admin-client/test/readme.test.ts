import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { registerClient } from '@watchword/server-testkit/clients/clients';
import { startServer } from '@watchword/server-testkit/servers/server';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

describe('the README of the administration client', () => {
  it('shows code that runs without changes', async () => {
    await using server = await startServer();
    const { credentials } = await registerClient(
      server,
      { clientName: 'Reader', scopes: ['read', 'write'], allowedClientCredentials: true },
      'authorization-server-admin',
    );
    const issued = await server.post('/oauth2/token', { grant_type: 'client_credentials' }, credentials);
    const [, code = ''] = /```js\n([\s\S]*?)```/.exec(readme) ?? [];
    const directory = new URL('../../../node_modules/.cache/admin-client-readme/', import.meta.url);
    await mkdir(directory, { recursive: true });
    try {
      const file = new URL('example.mjs', directory);
      const here = code.replace('https://id.example.com', server.baseUrl);
      await writeFile(file, `${here}\nexport { items, key, next, secret };\n`);
      process.env.WATCHWORD_ADMIN_TOKEN = issued.json.access_token;
      const { key, secret, items, next } = await import(file.href);
      assert.equal(key, 'orders-api');
      assert.match(secret, /^wws_/);
      assert.deepEqual([items, next], [[], undefined]);
    } finally {
      delete process.env.WATCHWORD_ADMIN_TOKEN;
      await rm(directory, { recursive: true });
    }
  });
});
