import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testKey } from '@watchword/testkit/certificate';
import { entityXml } from '@watchword/testkit/saml-metadata';
import type { IdentityProvider } from '../src/metadata/identity-provider.ts';
import { withinScopes } from '../src/principal/scopes.ts';
import { readText } from './support/metadata.ts';

const eppn = 'urn:mace:dir:attribute-def:eduPersonPrincipalName';

async function providerWith(...scopes: readonly string[]): Promise<IdentityProvider> {
  const certificates = [testKey('idp').certificateBase64];
  const xml = entityXml({ entityId: 'https://uni.example/idp', certificates, scopes });
  const { providers } = await readText(xml.replaceAll('regexp="false"', 'regexp="true"'));
  return providers[0] ?? assert.fail();
}

async function left(scope: string, ...values: readonly string[]): Promise<readonly string[] | undefined> {
  return withinScopes(new Map([[eppn, values]]), await providerWith(scope)).attributes.get(eppn);
}

describe('a pattern for domains in metadata', () => {
  it('matches a whole domain, in upper and lower case', async () => {
    const pattern = String.raw`([a-z0-9-]{1,63}\.){0,2}uni\.example`;
    const own = ['emma@uni.example', 'emma@a.b.uni.example', 'emma@A.Uni.Example'];
    const foreign = ['emma@a.b.c.uni.example', 'emma@uni.example.org', 'emma@evil-uni.example', 'emma', '@'];
    assert.deepEqual(await left(pattern, ...own, ...foreign), own);
    assert.deepEqual(await left(`^${pattern}$`, ...own, ...foreign), own);
  });

  it('matches nothing when it is not a valid pattern', async () => {
    for (const pattern of ['(', '[z-a]', 'a)|(?:.*', '"+process.exit()+"', '\\']) {
      assert.deepEqual(await left(pattern, 'emma@uni.example'), [], pattern);
    }
  });

  it('matches nothing when the match takes longer than the timeout', async () => {
    // The pattern would match after a long time.
    assert.deepEqual(await left('(?:a+)+b|a*', `emma@${'a'.repeat(28)}`), []);
    assert.deepEqual(await left('(?:a+)+b|a*', 'emma@aaa'), ['emma@aaa']);
  });

  it('matches no value that is longer than a domain can be', async () => {
    assert.deepEqual(await left('a*', `emma@${'a'.repeat(255)}`, `emma@${'a'.repeat(256)}`), [
      `emma@${'a'.repeat(255)}`,
    ]);
  });
});
