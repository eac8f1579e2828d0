import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { testKey } from '@watchword/testkit/certificate';
import {
  aggregateXml,
  type EntityFacts,
  entityXml,
  inAnHour,
  signedMetadata,
} from '@watchword/testkit/saml-metadata';
import { nameOf } from '../src/metadata/identity-provider.ts';
import type { ReadMetadata } from '../src/metadata/reader.ts';
import { readText } from './support/metadata.ts';

const key = testKey('idp');
const second = testKey('other');
const federation = testKey('federation');
const certificates = [key.certificateBase64];

const university = (index: number, more: Partial<EntityFacts> = {}) =>
  entityXml({ entityId: `https://idp${index}.example`, certificates, ...more }, false);

const ids = ({ providers }: ReadMetadata) => providers.map(({ entityId }) => entityId);

describe('metadata of an identity provider', () => {
  it('has its entity id, names, URLs and certificates', async () => {
    const { providers, unusable } = await readText(
      entityXml({
        entityId: 'https://idp.example',
        certificates: [key.certificateBase64, second.certificateBase64],
        use: 'signing',
        names: { en: 'University of A', nl: 'Universiteit A', 'pt-BR': 'Universidade A' },
        logo: 'https://cdn.example/a.png',
        keywords: 'alpha beta',
        scopes: ['a.example', 'b.example'],
      }),
    );
    assert.deepEqual(unusable, []);
    const [provider] = providers;
    assert.deepEqual(provider?.certificates, [key.certificateBase64, second.certificateBase64]);
    assert.deepEqual(provider?.signOn, { redirect: 'https://idp.example/sso' });
    assert.equal(provider?.logo, 'https://cdn.example/a.png');
    assert.deepEqual(
      provider?.scopes.map(({ value }) => value),
      ['a.example', 'b.example'],
    );
    for (const [language, name] of [
      ['nl', 'Universiteit A'],
      ['nl-BE', 'Universiteit A'],
      ['pt-BR', 'Universidade A'],
      ['fr', 'University of A'],
    ] as const) {
      assert.equal(provider && nameOf(provider, language), name);
    }
  });

  it('is read from chunks of any size', async () => {
    const xml = aggregateXml(
      [0, 1].map((index) => university(index, { names: { en: 'Münster 👩‍🎓' } })).join(''),
      inAnHour(),
    );
    const whole = await readText(signedMetadata(xml, federation), [federation], 1e9);
    assert.deepEqual(await readText(signedMetadata(xml, federation), [federation], 1), whole);
    assert.equal(whole.providers[1]?.names.get('en'), 'Münster 👩‍🎓');
  });

  it('can have comments, CDATA sections and a byte order mark', async () => {
    const xml = `\uFEFF<?xml version="1.0" encoding="UTF-8"?>\n<!-- licence -->${entityXml({ entityId: 'https://idp.example', certificates, names: { en: '<![CDATA[A & B]]>' } })}`;
    assert.equal((await readText(xml)).providers[0]?.names.get('en'), 'A & B');
  });

  it('is ignored for other entities', async () => {
    const service =
      '<md:EntityDescriptor entityID="https://sp.example"><md:SPSSODescriptor protocolSupportEnumeration="x"/></md:EntityDescriptor>';
    const old = university(1).replace('SAML:2.0:protocol', 'SAML:1.1:protocol');
    const read = await readText(aggregateXml(service + old + university(2)));
    assert.deepEqual(ids(read), ['https://idp2.example']);
    assert.deepEqual(read.unusable, []);
  });

  for (const [what, xml] of [
    ['a text that is not XML', 'hello'],
    ['XML that is cut off', entityXml({ entityId: 'x', certificates }).slice(0, -5)],
    ['another root', '<html/>'],
    ['nothing', ''],
    [
      'a DOCTYPE',
      `<!DOCTYPE x [<!ENTITY e SYSTEM "file:///etc/passwd">]>${entityXml({ entityId: 'x', certificates })}`,
    ],
    [
      'bytes that are not UTF-8',
      Buffer.concat([Buffer.from(entityXml({ entityId: 'x', certificates })), Buffer.from([0xc3])]),
    ],
    ['UTF-16', Buffer.from(entityXml({ entityId: 'x', certificates }), 'utf16le')],
  ] as const) {
    it(`is rejected with ${what}, and the error does not quote it`, async () => {
      await assert.rejects(readText(xml), ({ name, message }: Error) => {
        assert.equal(name, 'MetadataError');
        assert.doesNotMatch(message, /hello|passwd/);
        return true;
      });
    });
  }
});

describe('SA-18: metadata that could prevent the verification of signatures', () => {
  it('uses a key without use for signatures, and no key for encryption', async () => {
    const without = await readText(entityXml({ entityId: 'https://a.example', certificates }));
    assert.equal(without.providers.length, 1);
    const other = await readText(
      entityXml({ entityId: 'https://a.example', certificates, use: 'encryption' }),
    );
    assert.deepEqual(other.providers, []);
    assert.match(other.unusable[0]?.reason ?? '', /no signing certificate/);
  });

  it('rejects an identity provider without a certificate', async () => {
    const read = await readText(entityXml({ entityId: 'https://a.example', certificates: [] }));
    assert.deepEqual(read.providers, []);
  });

  for (const [what, certificate, reason] of [
    ['that cannot be read', 'AAAA', /cannot be read/],
    ['with a short key', testKey('short', { bits: 1024 }).certificateBase64, /1024 bits/],
    [
      'with a key on a curve that XML Signature does not require',
      testKey('curve', { type: 'ec', curve: 'secp256k1' }).certificateBase64,
      /expected P-256, P-384 or P-521/,
    ],
  ] as const) {
    it(`ignores a certificate ${what}, and uses others beside it`, async () => {
      const alone = await readText(entityXml({ entityId: 'https://a.example', certificates: [certificate] }));
      assert.deepEqual(alone.providers, []);
      assert.match(alone.unusable[0]?.reason ?? '', reason);
      const beside = await readText(
        entityXml({ entityId: 'https://a.example', certificates: [certificate, ...certificates] }),
      );
      assert.deepEqual(beside.providers[0]?.certificates, certificates);
    });
  }

  it('accepts an expired certificate, because the metadata makes its key trusted', async () => {
    const expired = testKey('idp', {
      notBefore: new Date('2020-01-01'),
      notAfter: new Date('2021-01-01'),
    });
    const read = await readText(
      entityXml({ entityId: 'https://a.example', certificates: [expired.certificateBase64] }),
    );
    assert.equal(read.providers.length, 1);
  });

  it('rejects an entity id that is not a URI or that equals another form of identity provider', async () => {
    for (const entityId of [
      'password',
      'form',
      '',
      ' https://a.example',
      'https://a.example!https://b.example',
    ]) {
      const read = await readText(entityXml({ entityId, certificates }));
      assert.deepEqual(read.providers, []);
      assert.match(read.unusable[0]?.reason ?? '', /entityID is missing or is not a URI/);
    }
    for (const entityId of [
      'https://a.example/x?y=1',
      'urn:mace:example:idp',
      'http://localhost:8090/metadata',
    ]) {
      assert.equal(
        (await readText(entityXml({ entityId, certificates, sso: 'https://a.example/sso' }))).providers
          .length,
        1,
      );
    }
  });

  it('rejects an identity provider without a URL for browsers', async () => {
    for (const more of [{ sso: 'javascript:alert(1)' }, { sso: 'file:///x' }, { binding: 'SOAP' }]) {
      const read = await readText(entityXml({ entityId: 'https://a.example', certificates, ...more }));
      assert.match(read.unusable[0]?.reason ?? assert.fail(), /no SingleSignOnService/);
    }
  });
});

describe('the metadata of a federation', () => {
  const document = aggregateXml([1, 2, 3].map((index) => university(index)).join('\n'), inAnHour());
  const xml = () => document;

  it('is accepted with a signature by any certificate of the federation', async () => {
    const read = await readText(signedMetadata(xml(), federation), [second, federation]);
    assert.deepEqual(ids(read), ['https://idp1.example', 'https://idp2.example', 'https://idp3.example']);
  });

  it('is accepted with SHA-512, with inclusive prefixes, and with an inclusively canonicalized signature', async () => {
    for (const options of [
      {
        digest: 'http://www.w3.org/2001/04/xmlenc#sha512',
        signature: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
      },
      { inclusiveNamespaces: ['xs', 'mdui', 'shibmd'] },
      { canonicalization: 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315' },
    ]) {
      assert.equal(
        (await readText(signedMetadata(xml(), federation, options), [federation])).providers.length,
        3,
      );
    }
  });

  it('can be nested, and each group can have its own expiry', async () => {
    const soon = new Date(Date.now() + 1000).toISOString();
    const nested = aggregateXml(
      aggregateXml(university(1), soon, false) + university(2, { validUntil: soon }) + university(3),
      inAnHour(),
    );
    const { providers, validUntil } = await readText(signedMetadata(nested, federation), [federation]);
    assert.deepEqual(
      providers.map((provider) => provider.validUntil < validUntil),
      [true, true, false],
    );
  });

  it('marks identity providers that discovery must hide', async () => {
    const { providers } = await readText(aggregateXml(university(1, { isHidden: true }) + university(2)));
    assert.deepEqual(
      providers.map(({ isHidden }) => isHidden),
      [true, false],
    );
  });

  const signed = (options = {}) => signedMetadata(xml(), federation, options);
  const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#';
  for (const [what, make] of [
    ['is not signed', xml],
    ['is signed by another key', () => signedMetadata(xml(), second)],
    ['was changed in a text', () => signed().replace('https://idp2.example/sso', 'https://evil.example/sso')],
    [
      'was changed in an attribute',
      () => signed().replace('entityID="https://idp2.example"', 'entityID="https://evil.example"'),
    ],
    [
      'has an additional entity',
      () => signed().replace('</md:EntitiesDescriptor>', `${university(4)}</md:EntitiesDescriptor>`),
    ],
    [
      'lacks a signed entity',
      () => signed().replace(/<md:EntityDescriptor[^>]*idp2[\s\S]*?<\/md:EntityDescriptor>/, ''),
    ],
    [
      'has a later expiry than was signed',
      () => signed().replace(/validUntil="[^"]+"/, 'validUntil="2099-01-01T00:00:00Z"'),
    ],
    [
      'has an additional space',
      () => signed().replace('</md:EntitiesDescriptor>', ' </md:EntitiesDescriptor>'),
    ],
    [
      'declares another namespace for a prefix',
      () => signed().replace('xmlns:mdui="urn:oasis', 'xmlns:mdui="urn:other'),
    ],
    [
      'has a processing instruction',
      () => signed().replace('<md:EntityDescriptor', '<?x y?><md:EntityDescriptor'),
    ],
    [
      'is nested in other metadata',
      () => aggregateXml(signed().replaceAll(/ xmlns:\w+="[^"]*"/g, ''), inAnHour()),
    ],
    [
      'has the signature at its end',
      () => {
        const text = signed();
        const [signature = ''] = /<ds:Signature[\s\S]*?<\/ds:Signature>/.exec(text) ?? [];
        return text
          .replace(signature, '')
          .replace('</md:EntitiesDescriptor>', `${signature}</md:EntitiesDescriptor>`);
      },
    ],
    ['has a signature of another element', () => signed().replace('URI="#_all"', 'URI="#_other"')],
    ['has a signature with an empty reference', () => signed().replace('URI="#_all"', 'URI=""')],
    ['uses SHA-1', () => signed({ signature: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' })],
    ['uses SHA-1 for the digest', () => signed({ digest: 'http://www.w3.org/2000/09/xmldsig#sha1' })],
    [
      'uses inclusive canonicalization',
      () =>
        signed({
          transforms: [
            'http://www.w3.org/2000/09/xmldsig#enveloped-signature',
            'http://www.w3.org/TR/2001/REC-xml-c14n-20010315',
          ],
        }),
    ],
    ['uses only one transform', () => signed().replace(`<ds:Transform Algorithm="${exclusive}"/>`, '')],
    [
      'has two references',
      () => {
        const text = signed();
        const [reference = ''] = /<ds:Reference[\s\S]*?<\/ds:Reference>/.exec(text) ?? [];
        return text.replace(reference, () => reference + reference);
      },
    ],
    [
      'has thousands of unsigned elements in KeyInfo',
      () =>
        signed().replace(
          '</ds:SignatureValue>',
          `</ds:SignatureValue><ds:KeyInfo>${'<ds:KeyName/>'.repeat(3000)}</ds:KeyInfo>`,
        ),
    ],
    ['has another digest', () => signed().replace(/<ds:DigestValue>.{8}/, '<ds:DigestValue>AAAAAAAA')],
  ] as const) {
    it(`is rejected when it ${what}`, async () => {
      const text = make();
      assert.notEqual(text, signed());
      await assert.rejects(readText(text, [federation]), { name: 'MetadataError' });
    });
  }

  it('is rejected with white space in a namespace name, which only some parsers trim', async () => {
    for (const name of [' urn:x', 'urn:x ', 'urn: x', '&#x9;urn:x', '\u{a0}urn:x']) {
      const text = xml().replace('<md:EntityDescriptor', `<md:EntityDescriptor xmlns:x="${name}"`);
      await assert.rejects(
        readText(text),
        { message: /the name of a namespace has white space in it/ },
        name,
      );
    }
  });

  it('treats a second, inner signature as content', async () => {
    const inner = signedMetadata(entityXml({ entityId: 'https://own.example', certificates }), second);
    const text = signedMetadata(aggregateXml(inner, inAnHour()), federation);
    assert.deepEqual(ids(await readText(text, [federation])), ['https://own.example']);
    await assert.rejects(readText(text.replace('own.example/sso', 'evil.example/sso'), [federation]));
    await assert.rejects(readText(text, [second]));
  });
});
