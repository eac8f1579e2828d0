import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import { temporaryDirectory } from '@watchword/server-testkit/processes/process';
import { testKey } from '@watchword/testkit/certificate';
import { loadConfiguration } from '../../server/src/config/load.ts';
import { readOptions } from '../src/options/read-options.ts';
import { moduleTexts } from '../src/saml-module.ts';
import { readme, yamlOfReadme } from './support/readme.ts';

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
  it('shows only existing options', async () => {
    await using directory = await temporaryDirectory();
    const key = testKey('idp');
    for (const name of ['old.pem', 'new.pem', 'federation.pem'])
      await writeFile(directory.file(name), key.certificate);
    const inPlace = (content: string) => content.replaceAll('./', `${directory.path}/`);
    const [minimal = '', , providers = '', principal = ''] = yamlOfReadme;
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
