import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { startProcess, temporaryDirectory } from '@watchword/server-testkit/process';
import { testKey } from '@watchword/testkit/certificate';
import { UserAgent } from '@watchword/testkit/user-agent';
import { loadConfiguration } from '../../server/src/config/load.ts';
import { readOptions } from '../src/options/read-options.ts';
import { moduleTexts } from '../src/texts.ts';
import { startIdentityProvider } from './support/identity-provider.ts';
import { atProvider } from './support/service.ts';

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const yaml = [...readme.matchAll(/^```yaml\n([\s\S]*?)^```$/gm)].map(([, content = '']) => content);

/** The `authenticatorOptions` of an example. */
async function optionsIn(
  content: string,
  directory: { file(name: string): string },
): Promise<Record<string, unknown>> {
  const file = directory.file('x.yaml');
  await writeFile(file, content);
  const { configuration } = await loadConfiguration({ flags: {}, environment: {}, file });
  return configuration.authenticatorOptions;
}

const indented = (content: string) => content.replaceAll(/^(?=.)/gm, '  ');

describe('the README', () => {
  it('has a setup with a test identity provider that works without changes, except for the ports', async () => {
    const [example = ''] = yaml.filter((content) => content.startsWith('# saml.yaml'));
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

  it('shows only existing options', async () => {
    await using directory = await temporaryDirectory();
    const key = testKey('x');
    for (const name of ['old.pem', 'new.pem', 'federation.pem'])
      await writeFile(directory.file(name), key.certificate);
    const inPlace = (content: string) => content.replaceAll('./', `${directory.path}/`);
    const [minimal = '', , providers = '', principal = ''] = yaml;
    const idp = '  identityProviders: [{ metadata: https://idp.example.org/metadata }]\n';
    for (const content of [
      minimal,
      `authenticatorOptions:\n${indented(inPlace(providers))}`,
      `authenticatorOptions:\n${idp}${indented(principal)}`,
    ]) {
      readOptions(await optionsIn(content, directory));
    }
  });

  it('names every option', () => {
    const names = new Set(
      [...readme.matchAll(/`([A-Za-z0-9.]+)(?=[`:])/g)].flatMap(([, name = '']) => name.split('.')),
    );
    try {
      readOptions({
        nothing: 1,
        identityProviders: [{ metadata: '/x', nothing: 1 }, { nothing: 1 }],
        principal: { nothing: 1 },
      });
      assert.fail();
    } catch (error) {
      const known = [...String(error).matchAll(/expected one of ([^\n]+)/g)].flatMap(([, list = '']) =>
        list.split(', '),
      );
      assert.ok(known.length > 40);
      assert.deepEqual(
        [...new Set(known)].filter((name) => !names.has(name)),
        [],
      );
    }
  });
});

describe('the texts of the module', () => {
  it('are the same in every language', () => {
    const { en = {}, ...others } = moduleTexts();
    const { 'saml.label': label, ...errorTexts } = en;
    assert.ok(label);
    for (const [language, texts] of Object.entries(others)) {
      assert.deepEqual(Object.keys(texts), Object.keys(en), language);
    }
    const keys = new Set(Object.keys(errorTexts).map((key) => key.replace(/\.(?:title|advice)$/, '')));
    assert.equal(Object.keys(errorTexts).length, keys.size * 2, 'each has a title and advice');
  });
});
