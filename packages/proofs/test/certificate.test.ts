import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { testKey } from '@watchword/testkit/certificate';
import { type CertificateForm, certificateThumbprint } from '../src/index.ts';

const { certificate, certificateBase64 } = testKey('client', { type: 'ec' });
const other = testKey('other', { type: 'ec' }).certificate;
const thumbprint = createHash('sha256').update(Buffer.from(certificateBase64, 'base64')).digest('base64url');
const escaped = encodeURIComponent(certificate);

describe('the thumbprint of a certificate in a header', () => {
  for (const [what, form, value] of [
    ['$ssl_client_escaped_cert of nginx', 'pem', escaped],
    ['the header of an AWS load balancer', 'pem', escaped.replaceAll('%2B', '+').replaceAll('%2F', '/')],
    ['SSL_CLIENT_CERT of Apache', 'pem', certificate.trim().replaceAll('\n', ' ')],
    ['Client-Cert (RFC 9440)', 'rfc9440', `:${certificateBase64}:`],
    ['the DER of Caddy', 'base64', certificateBase64],
    ['Envoy', 'xfcc', `By=spiffe://a/b;Hash=abc;Cert="${escaped}";Subject="CN=a,O=\\"b;Cert=c";URI=`],
  ] as const) {
    it(`is read as ${what} writes it`, async () => {
      assert.equal(await certificateThumbprint(value, form as CertificateForm), thumbprint);
    });
  }

  it('is that of no certificate in another form, of several, or of a part', () => {
    const values = [
      '',
      'none',
      '%',
      certificateBase64.slice(0, 100),
      `${certificateBase64}AAAA`,
      encodeURIComponent(certificate + other),
      `${escaped}, ${escaped}`,
      `:${certificateBase64}:, :${certificateBase64}:`,
      `Cert="${escaped}",Cert="${escaped}"`,
      `Cert="${escaped}";Cert="${encodeURIComponent(other)}"`,
      `Subject="a";Cert="${escaped}"; x`,
      `Subject="\\";Cert="${escaped}"`,
      'A'.repeat(100_000),
    ];
    for (const form of ['pem', 'rfc9440', 'base64', 'xfcc'] as const) {
      for (const value of values) {
        assert.equal(certificateThumbprint(value, form), undefined, `${form}: ${value.slice(0, 60)}`);
      }
    }
    assert.equal(certificateThumbprint(certificateBase64, 'rfc9440'), undefined);
    assert.equal(certificateThumbprint(escaped, 'base64'), undefined);
  });
});
