import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { startProcess, temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { UserAgent } from '@watchword/testkit/user-agent';
import { startIdentityProvider } from './support/identity-provider.ts';
import { readme, yamlOfReadme } from './support/readme.ts';
import { atProvider } from './support/service.ts';

describe('the README', () => {
  it('has a setup with a test identity provider that works without changes, except for the ports', async () => {
    const [example = ''] = yamlOfReadme.filter((content) => content.startsWith('# saml.yaml'));
    await using idp = await startIdentityProvider();
    idp.person = {
      nameId: 'root',
      attributes: {
        'urn:mace:dir:attribute-def:uid': ['root'],
        'urn:mace:dir:attribute-def:isMemberOf': ['admins'],
      },
    };
    await using directory = await temporaryDirectory();
    const file = directory.file('saml.yaml');
    await writeFile(file, example.replaceAll('http://localhost:8090/metadata', idp.metadataUrl));
    await using server = await startProcess([
      '--demo',
      '--port',
      '0',
      '--database',
      directory.file('x.db'),
      '--config',
      file,
    ]);
    const [, address = ''] = /<(http:\/\/localhost:8080\/authorize[^>]+)>/.exec(readme) ?? [];
    idp.register(await (await fetch(`${server.baseUrl}/saml/metadata`)).text());
    const agent = new UserAgent();
    const there = await agent.get(address.replace('http://localhost:8080', server.baseUrl));
    const posted = await fetch(`${server.baseUrl}/saml/acs`, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ ...(await atProvider(there)) }),
    });
    const consent = await agent.get(posted.headers.get('location') ?? '');
    assert.match(consent.text, /Signed in as root/);
  });
});
