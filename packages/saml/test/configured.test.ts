import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock } from '@watchword/testkit';
import { isConfigured } from '../src/metadata/configured.ts';
import { ProviderDirectory } from '../src/metadata/directory.ts';
import type { IdentityProvider } from '../src/metadata/identity-provider.ts';
import type { MetadataSource } from '../src/metadata/source.ts';

const clock = new FakeClock();

const provider = (entityId: string, more: Partial<IdentityProvider> = {}): IdentityProvider => ({
  entityId,
  names: new Map(),
  keywords: [],
  logo: '',
  signOn: { redirect: `${entityId}/sso` },
  logout: undefined,
  certificates: [],
  wantsSignedRequests: false,
  scopes: [],
  isHidden: false,
  validUntil: Number.POSITIVE_INFINITY,
  isProxy: false,
  ...more,
});

const source = (more: Partial<MetadataSource> = {}): MetadataSource => ({
  location: 'https://metadata.example',
  signingCertificates: [],
  entityIds: [],
  isFederation: false,
  isProxy: false,
  refresh: 3600,
  fetch: { maxBytes: 1, answerTimeout: 1, timeout: 1, allowPrivateAddresses: false },
  ...more,
});

/** Asks of which of the sources there is a copy, and what is in them all. */
function knowing(
  loaded: readonly MetadataSource[],
  missing: readonly MetadataSource[],
  ...all: IdentityProvider[]
) {
  const directory = new ProviderDirectory(1);
  directory.replace(0, all);
  const sources = [...loaded, ...missing];
  return (identityProvider: string) =>
    isConfigured(identityProvider, { directory, sources, clock, isLoaded: (each) => loaded.includes(each) });
}

const a = 'https://a.example';
const b = 'https://b.example';

describe('an identity provider is configured', () => {
  it('when the last good copy of the metadata has it, and no longer once a newer one has not', () => {
    assert.equal(knowing([source()], [], provider(a))(a), true);
    assert.equal(knowing([source()], [], provider(b))(a), false);
  });

  it('when it was described in place', () => {
    assert.equal(knowing([], [], provider(a))(a), true);
    assert.equal(knowing([], [])(a), false);
  });

  it('when the configuration names it and there was no metadata yet', () => {
    assert.equal(knowing([], [source({ entityIds: [a] })])(a), true);
    assert.equal(knowing([], [source({ entityIds: [a] })])(b), false);
    assert.equal(knowing([source({ entityIds: [a] })], [])(a), false);
  });

  it('or nobody can tell, when what may have it was not loaded yet or has come to its end', () => {
    assert.equal(knowing([source()], [source()], provider(b))(a), undefined);
    assert.equal(knowing([source()], [source()], provider(b))(b), true);
    const ended = provider(a, { validUntil: clock.now() });
    assert.equal(knowing([source()], [], ended)(a), undefined);
  });

  it('with the proxy in front of it, and only so', () => {
    const proxy = provider(a, { isProxy: true });
    assert.equal(knowing([source({ isProxy: true })], [], proxy)(`${a}!${b}`), true);
    assert.equal(knowing([source({ isProxy: true })], [], proxy)(a), false);
    assert.equal(knowing([source()], [], provider(a))(`${a}!${b}`), false);
    assert.equal(knowing([], [source({ isProxy: true })])(`${a}!${b}`), undefined);
    assert.equal(knowing([], [source()])(`${a}!${b}`), false);
  });

  it('never under the name of a module, though metadata are missing', () => {
    for (const name of ['password', 'form', '', '!', 'saml'])
      assert.equal(knowing([], [source()])(name), false);
  });
});
