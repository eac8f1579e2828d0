import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { readOptions } from '../src/options/read-options.ts';
import { decryptElement } from '../src/response/decrypt.ts';
import { screenResponse } from '../src/response/screen.ts';
import { strictXml } from '../src/response/strict-xml.ts';
import { verifyResponse } from '../src/response/verify.ts';
import { withDescendants, type XmlElement } from '../src/xml/element.ts';
import { readText } from './support/metadata.ts';

// Signed by the XML Signature of the JDK 17 (javax.xml.crypto), with keys and certificates of its keytool;
// encrypted by Apache Santuario 2.1.7. recipient.pem is the key of the recipient, and is used only here.
const folder = new URL('fixtures/', import.meta.url);
const fixture = (name: string) => readFileSync(new URL(name, folder), 'utf8').trim();
const certificateIn = (xml: string) =>
  /<ds:Signature\b.*?<ds:X509Certificate>([^<]+)</s.exec(xml)?.[1]?.replaceAll(/\s/g, '') ?? assert.fail(xml);
const saidIn = (assertion: XmlElement) =>
  [...withDescendants(assertion)].find(({ name }) => name === 'AttributeValue')?.text;

function read(xml: string, certificates: string): Promise<XmlElement> {
  const { inline, ...options } = readOptions({
    identityProviders: [
      { entityId: 'https://idp.example', singleSignOnUrl: 'https://idp.example/sso', certificates },
    ],
  });
  const [provider = assert.fail()] = inline;
  return verifyResponse(screenResponse(xml, options), provider, { ...options, policy: options });
}

describe('documents of other implementations', () => {
  const signed = readdirSync(folder).filter((name) => /^(?:ecdsa|rsa)-.*\.xml$/.test(name));

  it('exist', () => {
    assert.equal(signed.length, 5);
  });

  for (const name of signed) {
    const xml = fixture(name);

    it(`are accepted: the response ${name}`, async () => {
      assert.equal(saidIn(await read(xml, certificateIn(xml))), 'zoë & 👩');
    });

    it(`are rejected when changed, and with another key: the response ${name}`, async () => {
      const refused = { name: 'SamlError', check: 'signature' };
      await assert.rejects(read(xml.replace('>zoë ', '>root '), certificateIn(xml)), refused);
      const other = fixture(signed.find((each) => each.slice(0, 8) !== name.slice(0, 8)) ?? assert.fail());
      await assert.rejects(read(xml, certificateIn(other)), refused);
    });
  }

  it('are read: the metadata of a federation, signed by ECDSA with SHA-384', async () => {
    const xml = fixture('federation-ecdsa-p384-sha384.xml');
    const base64 = certificateIn(xml);
    const lines = base64.match(/.{1,64}/g)?.join('\n');
    const certificate = `-----BEGIN CERTIFICATE-----\n${lines}\n-----END CERTIFICATE-----\n`;
    const key = { key: '', publicKey: '', certificate, certificateBase64: base64 };
    const { providers } = await readText(xml, [key]);
    assert.deepEqual(
      providers.map(({ names }) => names.get('nl')),
      ['Universiteit & Zoë'],
    );
    await assert.rejects(readText(xml.replace('Zoë', 'Zoe'), [key]), { name: 'MetadataError' });
  });

  for (const name of ['encrypted-rsa-oaep-sha256.xml', 'encrypted-rsa-oaep-sha512.xml']) {
    it(`are decrypted: the assertion in ${name}`, async () => {
      const xml = fixture(name);
      screenResponse(xml, { allowSha1: false, allowCbc: false });
      const keys = [{ key: fixture('recipient.pem'), certificate: '' }];
      const decrypted = await decryptElement(xml, 'EncryptedAssertion', keys);
      assert.equal(saidIn(strictXml(decrypted)), 'zoë & 👩');
    });
  }
});
