import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { variants } from '@watchword/testkit';
import { testKey } from '@watchword/testkit/certificate';
import {
  assertAccepted,
  assertRejected,
  beginFlow,
  describedProvider,
  type Flow,
  type PaperProvider,
} from './support/flow.ts';
import { type EncryptionOptions, encrypted, responseXml, signed } from './support/response.ts';
import { type Service, startService } from './support/service.ts';

const more = 'http://www.w3.org/2001/04/xmldsig-more#';
const oaep = 'http://www.w3.org/2009/xmlenc11#rsa-oaep';
const mgf1p = 'http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p';
const recipient = testKey('service');
const rsa: PaperProvider = { entityId: 'https://rsa.example/idp', key: testKey('idp') };
const elliptic = ['P-256', 'P-384', 'P-521'].map(
  (curve): PaperProvider => ({
    entityId: `https://${curve}.example/idp`,
    key: testKey(curve, { type: 'ec', curve }),
  }),
);
const [p256 = rsa] = elliptic;

let service: Service;
/** The login at each of two providers that has only responses which are refused. */
const attacked = new Map<PaperProvider, Flow>();
before(async () => {
  service = await startService({
    identityProviders: [rsa, ...elliptic].map((provider) => describedProvider(provider)),
    encryption: [{ key: recipient.key, certificate: recipient.certificate }],
  });
  for (const provider of [rsa, p256]) attacked.set(provider, await beginFlow(service, provider));
});
after(async () => {
  // No response was refused because the login had ended.
  const flow = attacked.get(rsa) ?? assert.fail();
  await assertAccepted(service, flow, signed(responseXml(flow.facts()), 'Assertion', rsa.key));
  await service[Symbol.asyncDispose]();
});

describe('a signature', () => {
  const hashes = ['sha256', 'sha384', 'sha512'];
  // First each curve with the hash of its length, as RFC 7518 has them.
  const pairs = [0, 1, 2].flatMap((shift) =>
    elliptic.map((provider, index) => ({ provider, hash: hashes[(index + shift) % 3] ?? '' })),
  );
  for (const { provider, hash } of variants(elliptic.length, pairs)) {
    it(`by ECDSA with ${hash} and the key of ${provider.entityId} is accepted`, async () => {
      const flow = await beginFlow(service, provider);
      const options = { signatureAlgorithm: `${more}ecdsa-${hash}`, hash };
      await assertAccepted(
        service,
        flow,
        signed(responseXml(flow.facts()), 'Assertion', provider.key, options),
      );
    });
  }

  it('by RSA with SHA-384 over a digest by SHA-384 is accepted', async () => {
    const flow = await beginFlow(service, rsa);
    const options = {
      signatureAlgorithm: `${more}rsa-sha384`,
      digestAlgorithm: `${more}sha384`,
      hash: 'sha384',
    };
    await assertAccepted(service, flow, signed(responseXml(flow.facts()), 'Response', rsa.key, options));
  });

  for (const [what, check, provider, options] of [
    ['by ECDSA with SHA-1', 'algorithm', p256, { signatureAlgorithm: `${more}ecdsa-sha1`, hash: 'sha1' }],
    [
      'by ECDSA in DER, which XML Signature does not permit',
      'signature',
      p256,
      { signatureAlgorithm: `${more}ecdsa-sha256`, hash: 'sha256', dsaEncoding: 'der' },
    ],
    [
      'by ECDSA with the algorithm name of RSA',
      'signature',
      p256,
      { signatureAlgorithm: `${more}rsa-sha256`, hash: 'sha256', dsaEncoding: 'der' },
    ],
    [
      'by RSA with the algorithm name of ECDSA',
      'signature',
      rsa,
      { signatureAlgorithm: `${more}ecdsa-sha256`, hash: 'sha256' },
    ],
    [
      'by ECDSA with another hash than its algorithm names',
      'signature',
      p256,
      { signatureAlgorithm: `${more}ecdsa-sha256`, hash: 'sha384' },
    ],
  ] as const) {
    it(`is rejected ${what}`, async () => {
      const flow = attacked.get(provider) ?? assert.fail();
      const xml = signed(responseXml(flow.facts()), 'Assertion', provider.key, options);
      await assertRejected(service, flow, xml, check);
    });
  }
});

describe('the key of an encrypted assertion', () => {
  const encryptedBy = async (
    options: EncryptionOptions,
    edit = (xml: string) => xml,
    flow = attacked.get(rsa) ?? assert.fail(),
  ) => {
    const xml = await encrypted(signed(responseXml(flow.facts()), 'Assertion', rsa.key), recipient, options);
    return { flow, xml: edit(xml) };
  };

  for (const hash of ['sha256', 'sha512']) {
    it(`by RSA-OAEP of XML Encryption 1.1 with ${hash} is accepted`, async () => {
      const { flow, xml } = await encryptedBy(
        { key: oaep, digest: hash, mask: hash },
        undefined,
        await beginFlow(service, rsa),
      );
      assert.match(xml, new RegExp(`mgf1${hash}`));
      await assertAccepted(service, flow, xml);
    });
  }

  for (const [what, options, edit] of [
    ['with SHA-1', { key: oaep, digest: 'sha1', mask: 'sha1' }],
    ['with another hash for the mask', { key: oaep, digest: 'sha256', mask: 'sha512' }],
    ['with a digest that differs from its mask', { key: mgf1p, digest: 'sha256' }],
    [
      'without its digest, which then is SHA-1',
      { key: oaep, digest: 'sha256', mask: 'sha256' },
      (xml: string) => xml.replace(/<[^<>]*DigestMethod Algorithm="[^"]*xmlenc#sha256"[^<>]*>/, ''),
    ],
    [
      'without its mask, which then is SHA-1',
      { key: oaep, digest: 'sha256', mask: 'sha256' },
      (xml: string) => xml.replace(/<[^<>]*MGF [^<>]*>/, ''),
    ],
  ] as const) {
    it(`is rejected ${what}`, async () => {
      const { flow, xml } = await encryptedBy(options, edit);
      await assertRejected(service, flow, xml, 'algorithm');
    });
  }

  it('is rejected with two masks', async () => {
    const twice = (xml: string) => xml.replace(/<[^<>]*MGF [^<>]*>/, (mask) => mask + mask);
    const { flow, xml } = await encryptedBy({ key: oaep, digest: 'sha256', mask: 'sha256' }, twice);
    await assertRejected(service, flow, xml, 'structure');
  });

  it('can be encrypted by every method in the metadata of the service', async () => {
    const methods = [
      ...(await service.metadata()).matchAll(/<md:EncryptionMethod Algorithm="([^"]+)">(.*?)<\/md:/g),
    ];
    assert.deepEqual(
      methods.map(([, algorithm = '']) => algorithm.replace(/.*#/, '')),
      ['aes128-gcm', 'aes256-gcm', 'rsa-oaep-mgf1p', 'rsa-oaep', 'rsa-oaep'],
    );
    assert.match(methods[3]?.[2] ?? '', /xmlenc#sha256"\/>.*xmlenc11#mgf1sha256"\/>$/);
  });
});
