import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { FakeClock } from '@watchword/testkit';
import { isConfigured, ProviderDirectory } from '../src/metadata/directory.ts';
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

/** Asks with these sources loaded and these identity providers in the directory. */
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

describe('a configured identity provider', () => {
  it('is one in the last valid copy of the metadata, until a newer copy lacks it', () => {
    assert.ok(knowing([source()], [], provider(a))(a));
    assert.equal(knowing([source()], [], provider(b))(a), false);
  });

  it('is one that the options describe', () => {
    assert.ok(knowing([], [], provider(a))(a));
    assert.equal(knowing([], [])(a), false);
  });

  it('is one that the configuration names before metadata was loaded', () => {
    assert.ok(knowing([], [source({ entityIds: [a] })])(a));
    assert.equal(knowing([], [source({ entityIds: [a] })])(b), false);
    assert.equal(knowing([source({ entityIds: [a] })], [])(a), false);
  });

  it('is unknown while a source that can have it was not loaded or has expired', () => {
    assert.equal(knowing([source()], [source()], provider(b))(a), undefined);
    assert.ok(knowing([source()], [source()], provider(b))(b));
    const ended = provider(a, { validUntil: clock.now() });
    assert.equal(knowing([source()], [], ended)(a), undefined);
  });

  it('is named together with its proxy', () => {
    const proxy = provider(a, { isProxy: true });
    assert.ok(knowing([source({ isProxy: true })], [], proxy)(`${a}!${b}`));
    assert.equal(knowing([source({ isProxy: true })], [], proxy)(a), false);
    assert.equal(knowing([source()], [], provider(a))(`${a}!${b}`), false);
    assert.equal(knowing([], [source({ isProxy: true })])(`${a}!${b}`), undefined);
    assert.equal(knowing([], [source()])(`${a}!${b}`), false);
  });

  it('is never the name of a module, even without metadata', () => {
    for (const name of ['password', 'form', '', '!', 'saml'])
      assert.equal(knowing([], [source()])(name), false);
  });
});
