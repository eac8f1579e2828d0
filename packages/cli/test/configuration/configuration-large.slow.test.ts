import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { temporaryDirectory, watchwordProcess } from '@watchword/server-testkit/processes/process';
import { copyMigrated } from '@watchword/server-testkit/servers/database-template';

const count = 100_000;
const head = `version: 1
name: many
resourceServers:
  - { key: api, name: API, contactName: Ann, secret: env:SECRET, scopes: [{ name: read }] }
clients:
`;
const client = (index: number) => `  - clientId: client-${index}
    resourceServer: api
    clientName: Client ${index}
    contactName: Ann
    secret: env:SECRET
    scopes: [read]
    redirectUris: [https://client-${index}.example/callback]
`;

describe('a configuration of 100,000 clients', () => {
  it('is planned, refused with the place of what is wrong, and applied, in a heap of 1.5 GB', async () => {
    await using directory = await temporaryDirectory();
    await copyMigrated(directory.file('x.db'));
    const clients = Array.from({ length: count }, (_, index) => client(index));
    const run = (command: string, content: string) => {
      writeFileSync(directory.file('clients.yaml'), content);
      const args = [command, directory.file('clients.yaml'), '--database', directory.file('x.db')];
      const env = { SECRET: 'a secret that nobody guesses', NODE_OPTIONS: '--max-old-space-size=1536' };
      return watchwordProcess(args, { env });
    };
    const wrong = await run('apply', `${head}${clients.join('')}  - clientId: client-7\n`);
    assert.equal(wrong.code, 1, wrong.stderr);
    assert.match(wrong.stderr, /:700006:5: "client-7" is here twice: clients\/7 has it too/);
    const applied = await run('apply', head + clients.join(''));
    assert.equal(applied.code, 0, applied.stderr);
    assert.match(applied.stdout, /100001 created, 0 unchanged\.\n$/);
    const planned = await run('plan', head + clients.join(''));
    assert.match(planned.stdout, /nothing to do, 100001 records are as it says/);
  });

  it('is refused with advice where its file is larger than any that is read', async () => {
    await using directory = await temporaryDirectory();
    await copyMigrated(directory.file('x.db'));
    writeFileSync(directory.file('clients.yaml'), Buffer.alloc(65 * 1024 * 1024, '#'));
    const args = ['apply', directory.file('clients.yaml'), '--database', directory.file('x.db')];
    const { code, stderr } = await watchwordProcess(args);
    assert.equal(code, 2);
    assert.match(stderr, /expected at most 67108864 bytes; divide it into several configurations/);
  });
});
