import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { testKey } from '@watchword/testkit/certificate';
import {
  assertAccepted,
  assertRejected,
  beginFlow,
  describedProvider,
  type Flow,
  honest,
  honestXml,
  other,
  post,
} from './support/flow.ts';
import {
  assertionXml,
  encoded,
  encrypted,
  newId,
  partOf,
  type ResponseFacts,
  responseXml,
  type Sloppy,
  signed,
} from './support/response.ts';
import { type Service, startService } from './support/service.ts';

const stranger = testKey('stranger');
const recipient = testKey('service');
const enveloped = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';
const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#';

let service: Service;
/** The login of every response that is refused. */
let attacked: Flow;
/** Its valid response, which most attacks change. */
let valid: string;
before(async () => {
  service = await startService({
    identityProviders: [
      describedProvider(honest, { name: 'Honest' }),
      describedProvider(other, { name: 'Other' }),
    ],
    encryption: [{ key: recipient.key, certificate: recipient.certificate }],
  });
  attacked = await beginFlow(service);
  valid = honestXml(attacked.facts());
});
after(async () => {
  // No response was refused because the login had ended.
  await assertAccepted(service, attacked, valid);
  await service[Symbol.asyncDispose]();
});

/** Changes the name in a signed assertion of emma to root. */
const evil = (xml: string) => xml.replaceAll('>emma<', '>root<');
const without = (xml: string, part: string) => xml.replace(part, '');
const renamed = (xml: string) => xml.replaceAll(/ ID="[^"]+"/g, () => ` ID="${newId()}"`);

async function refused(
  make: (flow: Flow) => string | Buffer | Promise<string | Buffer>,
  check: string,
  status?: number,
): Promise<string> {
  return assertRejected(service, attacked, await make(attacked), check, status);
}

const stated = (more: Sloppy<ResponseFacts>) => (flow: Flow) => honestXml(flow.facts(more));

describe('a valid response', () => {
  for (const [form, make] of [
    ['with a signed assertion', (of: ResponseFacts) => honestXml(of)],
    ['with a signed response', (of: ResponseFacts) => signed(responseXml(of), 'Response', honest.key)],
    [
      'with a signed response and a signed assertion',
      (of: ResponseFacts) => signed(honestXml(of), 'Response', honest.key),
    ],
    ['with an encrypted signed assertion', (of: ResponseFacts) => encrypted(honestXml(of), recipient)],
    [
      'with a signed response and an encrypted assertion',
      async (of: ResponseFacts) =>
        signed(await encrypted(responseXml(of), recipient), 'Response', honest.key),
    ],
    [
      'with a signature by RSA-SHA512',
      (of: ResponseFacts) =>
        signed(responseXml(of), 'Assertion', honest.key, {
          signatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
          digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha512',
        }),
    ],
  ] as const) {
    it(`is accepted ${form}`, async () => {
      const flow = await beginFlow(service);
      const principal = await service.principalOf(
        await assertAccepted(service, flow, await make(flow.facts())),
      );
      assert.equal((principal as { name: string }).name, 'emma');
    });
  }
});

describe('SA-1: a response of an attacker', () => {
  it('is rejected without a signature', async () => {
    await refused((flow) => responseXml(flow.facts()), 'signature');
  });

  for (const name of ['Response', 'Assertion'] as const) {
    it(`is rejected with a ${name} signed by another key, which is in KeyInfo`, async () => {
      await refused((flow) => signed(responseXml(flow.facts()), name, stranger), 'signature');
    });

    it(`is rejected with a ${name} signed by another key and the right certificate in KeyInfo`, async () => {
      const keyInfo = honest.key;
      await refused((flow) => signed(responseXml(flow.facts()), name, stranger, { keyInfo }), 'signature');
    });

    it(`is rejected with a ${name} that was changed after it was signed`, async () => {
      await refused((flow) => evil(signed(responseXml(flow.facts()), name, honest.key)), 'signature');
    });
  }

  it('is rejected with two valid signatures of one element', async () => {
    await refused(() => {
      const xml = valid;
      const signature = partOf(xml, 'ds:Signature');
      return xml.replace(signature, () => signature + signature);
    }, 'signature');
    assert.match(service.refusedLogins().at(-1)?.detail ?? '', /signed twice/);
  });

  it('is rejected with an invalid signature beside a valid one', async () => {
    await refused(
      (flow) => signed(signed(responseXml(flow.facts()), 'Assertion', stranger), 'Response', honest.key),
      'signature',
    );
    await refused(() => signed(valid, 'Response', stranger), 'signature');
  });

  it('is rejected when one identity provider signs for another', async () => {
    for (const asked of [honest, other]) {
      const flow = await beginFlow(service, asked);
      const of = flow.facts({ issuer: honest.entityId, assertionIssuer: honest.entityId });
      await assertRejected(service, flow, honestXml(of, other), 'signature');
      const mixed = flow.facts({ issuer: other.entityId, assertionIssuer: honest.entityId });
      await assertRejected(service, flow, honestXml(mixed, other), 'issuer');
      const whole = signed(responseXml({ ...mixed, issuer: other.entityId }), 'Response', other.key);
      await assertRejected(service, flow, whole, 'issuer');
    }
  });

  it('is rejected from an identity provider that got no request', async () => {
    const flow = await beginFlow(service, honest);
    const of = flow.facts({ issuer: other.entityId, assertionIssuer: other.entityId });
    const answer = await post(service, flow, { SAMLResponse: encoded(honestXml(of, other)) });
    const page = await flow.agent.get(answer.headers.get('location') ?? '');
    assert.equal(page.status, 400, page.text);
    assert.equal(service.refusedLogins().at(-1)?.check, 'request');
  });

  it('is rejected from an unknown identity provider', async () => {
    const unknown = 'https://unknown.example';
    await refused(stated({ issuer: unknown, assertionIssuer: unknown }), 'provider');
  });
});

describe('SA-2: signature wrapping', () => {
  const signedResponse = ({ facts }: Flow) => signed(responseXml(facts()), 'Response', honest.key);

  const shapes: Readonly<Record<string, (flow: Flow) => string>> = {
    'XSW1: the signed response inside the signature of another'(flow) {
      const original = signedResponse(flow);
      const signature = partOf(original, 'ds:Signature');
      const inside = signature.replace('</ds:Signature>', `${without(original, signature)}</ds:Signature>`);
      return evil(renamed(without(original, signature))).replace(
        '<samlp:Status>',
        () => `${inside}<samlp:Status>`,
      );
    },
    'XSW2: the signed response beside its signature, in another'(flow) {
      const original = signedResponse(flow);
      const signature = partOf(original, 'ds:Signature');
      const bare = without(original, signature);
      return evil(renamed(bare)).replace('<samlp:Status>', () => `${bare}${signature}<samlp:Status>`);
    },
    'XSW3: another assertion before the signed one'() {
      const original = valid;
      const assertion = partOf(original, 'saml:Assertion');
      const copy = evil(renamed(without(assertion, partOf(assertion, 'ds:Signature'))));
      return original.replace(assertion, () => `${copy}${assertion}`);
    },
    'XSW4: the signed assertion inside another'() {
      const original = valid;
      const assertion = partOf(original, 'saml:Assertion');
      const copy = evil(renamed(without(assertion, partOf(assertion, 'ds:Signature'))));
      return original.replace(assertion, () =>
        copy.replace('</saml:Assertion>', `${assertion}</saml:Assertion>`),
      );
    },
    'XSW5: another assertion with the signature, the signed one at the end'() {
      const original = valid;
      const assertion = partOf(original, 'saml:Assertion');
      const bare = without(assertion, partOf(assertion, 'ds:Signature'));
      const copy = evil(assertion).replace(/ ID="[^"]+"/, () => ` ID="${newId()}"`);
      return original.replace(assertion, () => `${copy}${bare}`);
    },
    'XSW6: the signed assertion inside the signature of another'() {
      const original = valid;
      const assertion = partOf(original, 'saml:Assertion');
      const signature = partOf(assertion, 'ds:Signature');
      const bare = without(assertion, signature);
      const inside = signature.replace('</ds:Signature>', `${bare}</ds:Signature>`);
      const copy = evil(renamed(bare)).replace('<saml:Subject>', () => `${inside}<saml:Subject>`);
      return original.replace(assertion, () => copy);
    },
    'XSW7: another assertion in Extensions'() {
      const original = valid;
      const assertion = partOf(original, 'saml:Assertion');
      const copy = evil(without(assertion, partOf(assertion, 'ds:Signature')));
      const extensions = `<samlp:Extensions>${copy}</samlp:Extensions>`;
      return original.replace('<samlp:Status>', () => `${extensions}<samlp:Status>`);
    },
    'XSW8: the signed assertion in an Object of the signature of another'() {
      const original = valid;
      const assertion = partOf(original, 'saml:Assertion');
      const signature = partOf(assertion, 'ds:Signature');
      const bare = without(assertion, signature);
      const inside = signature.replace('</ds:Signature>', `<ds:Object>${bare}</ds:Object></ds:Signature>`);
      return original.replace(assertion, () => evil(assertion).replace(signature, () => inside));
    },
    'another assertion in Advice'() {
      const original = valid;
      const copy = evil(
        renamed(without(partOf(original, 'saml:Assertion'), partOf(original, 'ds:Signature'))),
      );
      return original.replace(
        '<saml:AuthnStatement',
        () => `<saml:Advice>${copy}</saml:Advice><saml:AuthnStatement`,
      );
    },
    'another assertion in StatusDetail'() {
      const original = valid;
      const copy = evil(
        renamed(without(partOf(original, 'saml:Assertion'), partOf(original, 'ds:Signature'))),
      );
      const detail = `<samlp:StatusDetail>${copy}</samlp:StatusDetail>`;
      return original.replace('</samlp:Status>', () => `${detail}</samlp:Status>`);
    },
    'two signed assertions'(flow) {
      const two = [flow.facts(), flow.facts({ uid: 'root' })].map((of) =>
        partOf(honestXml(of), 'saml:Assertion'),
      );
      return responseXml(flow.facts(), two.join(''));
    },
    'no assertion': (flow) => signed(responseXml(flow.facts(), ''), 'Response', honest.key),
    'another assertion in no namespace, of which only the name is the same'() {
      const copy = '<x:Assertion xmlns:x="urn:x" ID="_x">root</x:Assertion>';
      return valid.replace('<samlp:Status>', () => `${copy}<samlp:Status>`);
    },
    'an assertion one level down'() {
      const original = valid;
      const assertion = partOf(original, 'saml:Assertion');
      return original.replace(assertion, () => `<samlp:Extensions>${assertion}</samlp:Extensions>`);
    },
  };

  for (const [shape, make] of Object.entries(shapes)) {
    it(`is rejected with ${shape}`, async () => {
      await refused(make, 'structure');
    });
  }
});

describe('SA-3: a changed response', () => {
  it('is rejected when its signature was moved', async () => {
    await refused(() => {
      const xml = valid;
      const signature = partOf(xml, 'ds:Signature');
      return without(xml, signature).replace('<samlp:Status>', () => `${signature}<samlp:Status>`);
    }, 'signature');
    await refused(() => {
      const xml = valid;
      const signature = partOf(xml, 'ds:Signature');
      return without(xml, signature).replace('<saml:NameID>', () => `${signature}<saml:NameID>`);
    }, 'structure');
  });

  for (const uri of [
    '',
    '#',
    '#other',
    '#xpointer(/)',
    "#xpointer(id('x'))",
    'http://evil.example/x',
    '#_a',
  ]) {
    it(`is rejected with the Reference ${JSON.stringify(uri)} in its signature`, async () => {
      await refused(
        () => valid.replace(/<ds:Reference URI="[^"]*"/, `<ds:Reference URI="${uri}"`),
        'signature',
      );
    });
  }

  it('is rejected with two elements of the same ID, in any spelling of the name', async () => {
    for (const name of ['ID', 'Id', 'id', 'iD']) {
      await refused((flow) => {
        const of = flow.facts();
        return signed(
          responseXml(of).replace('<saml:Subject>', `<saml:Subject ${name}="${of.assertionId}">`),
          'Response',
          honest.key,
        );
      }, 'structure');
    }
  });

  it('is rejected with an ID in a namespace', async () => {
    await refused(() => valid.replace('<samlp:Status>', '<samlp:Status samlp:ID="_x">'), 'structure');
  });

  it('is rejected with a repeated attribute', async () => {
    await refused(
      () => valid.replace(/ InResponseTo="[^"]+">/, (all) => `${all.slice(0, -1)}${all}`),
      'xml',
      400,
    );
  });

  it('is rejected with elements of another namespace, or of none, in place of those of SAML', async () => {
    await refused(() => valid.replaceAll('urn:oasis:names:tc:SAML:2.0:assertion', 'urn:x'), 'structure');
    await refused(() => valid.replaceAll('urn:oasis:names:tc:SAML:2.0:protocol', 'urn:x'), 'structure');
    await refused(() => valid.replaceAll('http://www.w3.org/2000/09/xmldsig#"', 'urn:x"'), 'structure');
  });

  it('is rejected with a namespace that canonicalization does not define', async () => {
    for (const uri of ['1', '../x', 'x y', '//x', 'urn:x y', ' urn:x', 'urn:x&#xA;', 'urn:x&#xA0;', ' ']) {
      await refused(
        () => valid.replace('<samlp:Response ', `<samlp:Response xmlns:ns="${uri}" `),
        'xml',
        400,
      );
    }
  });

  it('is rejected with a comment, a CDATA section or a processing instruction in a name', async () => {
    for (const inside of ['em<!-- -->ma', '<!---->emma', '<![CDATA[emma]]>', 'em<?x y?>ma']) {
      await refused(stated({ uid: inside }), 'xml', 400);
      await refused(() => valid.replace('>emma<', `>${inside}<`), 'xml', 400);
      await refused(stated({ nameId: inside }), 'xml', 400);
    }
  });

  it('is not read as another name when a value has elements or two parts', async () => {
    const flow = await beginFlow(service);
    const uid = 'root</saml:AttributeValue><saml:AttributeValue>emma';
    const code = await post(service, flow, { SAMLResponse: encoded(honestXml(flow.facts({ uid }))) });
    const page = await flow.agent.get(code.headers.get('location') ?? '');
    assert.equal(page.status, 403);
    assert.equal(service.refusedLogins().at(-1)?.check, 'name');
  });
});

describe('a text with child elements', () => {
  const element = '<x xmlns="urn:x"/>';
  for (const [what, facts] of [
    ['an attribute value', { uid: `emma${element}` }],
    ['an attribute value', { uid: `em${element}ma` }],
    ['an attribute value that is a NameID too', { uid: 'emma<saml:NameID>root</saml:NameID>' }],
    [
      'an attribute value with two NameIDs',
      { uid: '<saml:NameID>emma</saml:NameID><saml:NameID>x</saml:NameID>' },
    ],
    ['a NameID in an attribute value', { uid: `<saml:NameID>em${element}ma</saml:NameID>` }],
    ['a NameID', { nameId: `n-1${element}` }],
    ['a NameID', { nameId: `n-${element}1` }],
    ['an Audience', { audience: `https://id.example/saml/metadata${element}` }],
    ['an Issuer of an assertion', { assertionIssuer: `${honest.entityId}${element}` }],
  ] as const) {
    it(`is rejected in ${what}: ${JSON.stringify(facts)}`, async () => {
      await refused(stated(facts), 'structure');
    });
  }

  it('is rejected in the Issuer of a response', async () => {
    await refused(() => valid.replace('</saml:Issuer>', `${element}</saml:Issuer>`), 'structure');
  });

  it('is no white space at the ends of an attribute value, which is left out as at a NameID', async () => {
    for (const uid of [' emma\n', '\n  emma', '<saml:NameID>\n emma </saml:NameID>']) {
      const flow = await beginFlow(service);
      const xml = honestXml(flow.facts({ uid }));
      const principal = await service.principalOf(await assertAccepted(service, flow, xml));
      assert.equal((principal as { name: string }).name, 'emma', JSON.stringify(uid));
    }
  });

  it('is not a NameID between white space in an attribute value', async () => {
    const flow = await beginFlow(service);
    const xml = honestXml(flow.facts({ uid: '\n  <saml:NameID Format="urn:x">emma</saml:NameID>\n' }));
    const principal = await service.principalOf(await assertAccepted(service, flow, xml));
    assert.equal((principal as { name: string }).name, 'emma');
  });
});

describe('SA-6: a message with XML that SAML does not need', () => {
  const doctype = '<!DOCTYPE r [<!ENTITY e SYSTEM "http://127.0.0.1:1/x">]>';

  for (const [what, change] of [
    ['a DOCTYPE', (xml: string) => `<!DOCTYPE samlp:Response>${xml}`],
    ['an external entity', (xml: string) => doctype + xml.replace('>emma<', '>&e;<')],
    [
      'a parameter entity',
      (xml: string) => `<!DOCTYPE r [<!ENTITY % e SYSTEM "http://127.0.0.1:1/x"> %e;]>${xml}`,
    ],
    ['an external DTD', (xml: string) => `<!DOCTYPE r SYSTEM "file:///etc/passwd">${xml}`],
    ['an undeclared entity', (xml: string) => xml.replace('>emma<', '>&root;<')],
    ['two roots', (xml: string) => xml + xml],
    ['text after its end', (xml: string) => `${xml}x`],
    ['a character that XML does not permit', (xml: string) => xml.replace('>emma<', '>em&#0;ma<')],
    ['an instruction before its root', (xml: string) => `<?xml-stylesheet href="x"?>${xml}`],
    ['an encoding that is not UTF-8', (xml: string) => `<?xml version="1.0" encoding="UTF-7"?>${xml}`],
    ['another version of XML', (xml: string) => `<?xml version="1.1"?>${xml}`],
    ['a missing end', (xml: string) => xml.slice(0, -10)],
  ] as const) {
    it(`is rejected with ${what}`, async () => {
      await refused(() => change(valid), 'xml', 400);
    });
  }

  it('is rejected in UTF-16 and with bytes that are not UTF-8', async () => {
    await refused(() => Buffer.from(valid, 'utf16le'), 'xml', 400);
    await refused(() => Buffer.concat([Buffer.from(valid), Buffer.from([0xff, 0xfe])]), 'encoding', 400);
  });
});

describe('SA-7: a response that costs much time or memory', () => {
  const laughs = Array.from(
    { length: 10 },
    (_, index) => `<!ENTITY l${index + 1} "${`&l${index};`.repeat(10)}">`,
  ).join('');

  for (const [what, change, check] of [
    [
      'a billion laughs',
      (xml: string) => `<!DOCTYPE r [<!ENTITY l0 "ha">${laughs}]>${xml.replace('>emma<', '>&l10;<')}`,
      'xml',
    ],
    [
      'a repeated entity',
      (xml: string) =>
        `<!DOCTYPE r [<!ENTITY a "${'a'.repeat(50_000)}">]>${xml.replace('>emma<', `>${'&a;'.repeat(10_000)}<`)}`,
      'xml',
    ],
    [
      '10,000 levels of elements',
      (xml: string) => xml.replace('>emma<', `>${'<a>'.repeat(10_000)}${'</a>'.repeat(10_000)}<`),
      'xml',
    ],
    [
      '20,000 attributes',
      (xml: string) =>
        xml.replace(
          '<saml:NameID',
          `<saml:NameID${Array.from({ length: 20_000 }, (_, index) => ` a${index}=""`).join('')}`,
        ),
      'xml',
    ],
    [
      '10,000 attributes in all',
      (xml: string) => xml.replace('>emma<', `>${'<a b="" c="" d="" e="" f=""/>'.repeat(2000)}<`),
      'xml',
    ],
    ['20,000 elements', (xml: string) => xml.replace('>emma<', `>${'<a/>'.repeat(20_000)}<`), 'xml'],
    [
      '1,000 transforms',
      (xml: string) =>
        xml.replace(
          '<ds:Transforms>',
          `<ds:Transforms>${`<ds:Transform Algorithm="${exclusive}"/>`.repeat(1000)}`,
        ),
      'signature',
    ],
    [
      '1,000 references',
      (xml: string) =>
        xml.replace('</ds:SignedInfo>', `${partOf(xml, 'ds:Reference').repeat(1000)}</ds:SignedInfo>`),
      'xml',
    ],
  ] as const) {
    it(`is rejected with ${what}`, async () => {
      const xml = change(valid);
      assert.ok(xml.length < 380_000 * 3, 'it fits into the limit of a body');
      await refused(() => xml.slice(0, 380_000), check, check === 'xml' ? 400 : 403);
    });
  }

  it('is not read with 5 MB', async () => {
    const answer = await fetch(service.acs, {
      method: 'POST',
      body: new URLSearchParams({ RelayState: attacked.relayState, SAMLResponse: 'A'.repeat(5_000_000) }),
    }).catch(() => undefined);
    // The server can close the connection after its answer, while the client still sends the rest.
    assert.ok(answer === undefined || answer.status === 413);
    assert.ok((await fetch(`${service.baseUrl}/healthz`)).ok);
  });
});

describe('SA-8: a signature with a weak algorithm', () => {
  const by = (options: Parameters<typeof signed>[3]) => (flow: Flow) =>
    signed(responseXml(flow.facts()), 'Assertion', honest.key, options);

  it('is rejected with RSA and SHA-1', async () => {
    await refused(by({ signatureAlgorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' }), 'algorithm');
  });

  it('is rejected with a digest by SHA-1', async () => {
    await refused(by({ digestAlgorithm: 'http://www.w3.org/2000/09/xmldsig#sha1' }), 'algorithm');
  });

  it('is rejected with an HMAC whose secret is the public certificate', async () => {
    for (const hmacSecret of [honest.key.certificate, honest.key.publicKey, honest.key.certificateBase64]) {
      await refused(
        by({ hmacSecret, signatureAlgorithm: 'http://www.w3.org/2000/09/xmldsig#hmac-sha1' }),
        'algorithm',
      );
    }
  });

  for (const algorithm of [
    'http://www.w3.org/TR/1999/REC-xslt-19991116',
    'http://www.w3.org/TR/1999/REC-xpath-19991116',
    'http://www.w3.org/2002/06/xmldsig-filter2',
    'http://www.w3.org/2000/09/xmldsig#base64',
    `${exclusive}WithComments`,
    'urn:unknown',
    '',
  ]) {
    it(`is rejected with the transform ${JSON.stringify(algorithm)}`, async () => {
      const before = `<ds:Transform Algorithm="${exclusive}"/>`;
      await refused(() => valid.replace(before, `<ds:Transform Algorithm="${algorithm}"/>`), 'algorithm');
    });
  }

  it('is rejected with three transforms, with none, and without enveloped as the first', async () => {
    const added = `<ds:Transform Algorithm="${exclusive}"/></ds:Transforms>`;
    await refused(() => valid.replace('</ds:Transforms>', added), 'signature');
    await refused(by({ transforms: [exclusive, enveloped] }), 'algorithm');
    await refused(() => valid.replace(/<ds:Transforms>.*<\/ds:Transforms>/, '<ds:Transforms/>'), 'signature');
  });

  it('is rejected with an element within a transform or a method', async () => {
    for (const name of [
      'ds:SignatureMethod',
      'ds:DigestMethod',
      'ds:CanonicalizationMethod',
      'ds:Transform',
    ]) {
      await refused(
        () =>
          valid.replace(
            new RegExp(`<${name} Algorithm="([^"]+)"/>`),
            `<${name} Algorithm="$1"><x xmlns="urn:x"/></${name}>`,
          ),
        'signature',
      );
      // The form is rejected before the signature is verified.
      assert.match(service.refusedLogins().at(-1)?.detail ?? '', /not allowed there/);
    }
  });

  it('is rejected with another method in KeyInfo, which is not signed', async () => {
    for (const name of [
      'SignatureMethod',
      'CanonicalizationMethod',
      'SignedInfo',
      'SignatureValue',
      'KeyInfo',
    ]) {
      await refused(
        () =>
          valid.replace(
            '</ds:KeyInfo>',
            `<ds:${name} Algorithm="http://www.w3.org/2000/09/xmldsig#hmac-sha1">AAAA</ds:${name}></ds:KeyInfo>`,
          ),
        'signature',
      );
    }
  });

  it('is accepted with SHA-1 when the operator allows it', async () => {
    await using lax = await startService({ identityProviders: [describedProvider(honest)], allowSha1: true });
    const flow = await beginFlow(lax);
    const xml = signed(responseXml(flow.facts()), 'Assertion', honest.key, {
      signatureAlgorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1',
      digestAlgorithm: 'http://www.w3.org/2000/09/xmldsig#sha1',
    });
    await assertAccepted(lax, flow, xml);
  });
});

describe('SA-9: an assertion for another service provider', () => {
  it('is rejected without an audience', async () => {
    await refused(stated({ audience: undefined }), 'audience');
    await refused((flow) => honestXml(flow.facts({ audience: '' })), 'audience');
  });

  it('is rejected with another audience, or with that of this server in other letters', async () => {
    const ours = `${service.baseUrl}/saml/metadata`;
    for (const audience of [
      'https://elsewhere.example',
      ours.toUpperCase(),
      `${ours}/`,
      `${ours}x`,
      `${ours}#`,
    ]) {
      await refused(stated({ audience }), 'audience');
    }
  });

  it('is rejected when one of two restrictions does not name this server', async () => {
    await refused((flow) => {
      const xml = responseXml(flow.facts());
      const more =
        '<saml:AudienceRestriction><saml:Audience>urn:x</saml:Audience></saml:AudienceRestriction>';
      return signed(xml.replace('</saml:Conditions>', `${more}</saml:Conditions>`), 'Assertion', honest.key);
    }, 'audience');
  });

  it('is accepted when this server is among several audiences', async () => {
    const flow = await beginFlow(service);
    const audience = `urn:x</saml:Audience><saml:Audience>${service.baseUrl}/saml/metadata`;
    await assertAccepted(service, flow, honestXml(flow.facts({ audience })));
  });
});

describe('SA-10: an assertion for another endpoint', () => {
  it('is rejected with a missing or another Destination', async () => {
    for (const destination of [
      undefined,
      '',
      'https://elsewhere.example/acs',
      `${service.acs}/`,
      `${service.acs}?x`,
    ]) {
      await refused(stated({ destination }), 'destination');
    }
  });

  it('is rejected with a missing or another Recipient', async () => {
    for (const recipient of [undefined, '', 'https://elsewhere.example/acs', `${service.acs}/`]) {
      await refused(stated({ recipient }), 'recipient');
    }
  });

  it('is rejected without SubjectConfirmation, without its data, and with another method than bearer', async () => {
    const edited = (pattern: RegExp) => (flow: Flow) =>
      signed(responseXml(flow.facts()).replace(pattern, ''), 'Assertion', honest.key);
    await refused(edited(/<saml:SubjectConfirmation .*<\/saml:SubjectConfirmation>/), 'confirmation');
    await refused(edited(/<saml:SubjectConfirmationData[^>]*\/>/), 'confirmation');
    await refused(edited(/<saml:Subject>.*<\/saml:Subject>/), 'structure');
    await refused(stated({ method: 'urn:oasis:names:tc:SAML:2.0:cm:sender-vouches' }), 'confirmation');
  });

  it('is rejected when it answers another request or none', async () => {
    await refused(stated({ inResponseTo: undefined, assertionInResponseTo: undefined }), 'request', 400);
    await refused(stated({ assertionInResponseTo: '_other' }), 'request', 400);
    await refused(stated({ assertionInResponseTo: undefined }), 'request', 400);
    await refused(
      (flow) => honestXml(flow.facts({ inResponseTo: '_other', assertionInResponseTo: flow.requestId })),
      'request',
      400,
    );
  });

  it('is rejected when it answers a request of another browser', async () => {
    const [mine, theirs] = [await beginFlow(service), await beginFlow(service)];
    const answer = await post(service, theirs, { SAMLResponse: encoded(honestXml(mine.facts())) });
    const page = await theirs.agent.get(answer.headers.get('location') ?? '');
    assert.equal(page.status, 400, page.text);
    assert.equal(service.refusedLogins().at(-1)?.check, 'request');
    assert.ok(!theirs.agent.cookies.some(({ name }) => name === 'watchword_session'));
  });
});

describe('SA-13: an assertion at the wrong time', () => {
  it('is rejected when it has expired or is not valid yet', async () => {
    for (const more of [
      { notOnOrAfter: -100 },
      { confirmationEnd: -100 },
      { notBefore: 100 },
      { notBefore: 600, notOnOrAfter: 900 },
      { authnInstant: 100 },
    ]) {
      await refused(stated(more), 'time');
    }
  });

  it('is accepted within the clock skew', async () => {
    for (const more of [
      { notOnOrAfter: -60, confirmationEnd: -60 },
      { notBefore: 60, authnInstant: 60 },
    ]) {
      const flow = await beginFlow(service);
      await assertAccepted(service, flow, honestXml(flow.facts(more)));
    }
  });

  it('is rejected when one of its times is no time', async () => {
    for (const name of ['notOnOrAfter', 'confirmationEnd', 'notBefore', 'authnInstant']) {
      await refused(stated({ [name]: 'now' }), 'time');
    }
  });

  it('is rejected when the session at the identity provider has expired', async () => {
    await refused(
      (flow) =>
        signed(
          responseXml(flow.facts()).replace(
            ' SessionIndex',
            ` SessionNotOnOrAfter="2020-01-01T00:00:00Z" SessionIndex`,
          ),
          'Assertion',
          honest.key,
        ),
      'time',
    );
  });

  it('is rejected when the request needs a new login and the user authenticated before it', async () => {
    const flow = await beginFlow(service, honest, '&prompt=login');
    const answer = await post(service, flow, {
      SAMLResponse: encoded(honestXml(flow.facts({ authnInstant: -3600 }))),
    });
    const page = await flow.agent.get(answer.headers.get('location') ?? '');
    assert.equal(page.status, 403);
    assert.equal(service.refusedLogins().at(-1)?.check, 'time');
  });
});

describe('SA-15: an encrypted assertion', () => {
  const toUs =
    (make: (flow: Flow) => string, options?: Parameters<typeof encrypted>[2]) => async (flow: Flow) =>
      encrypted(make(flow), recipient, options);
  const unsigned = (flow: Flow) => responseXml(flow.facts());

  it('is rejected with one and the same page when it is unsigned, signed by an attacker, or not an assertion', async () => {
    const pages = [
      await refused(toUs(unsigned), 'signature'),
      await refused(
        toUs((flow) => signed(unsigned(flow), 'Assertion', stranger)),
        'signature',
      ),
      await refused(toUs(unsigned, { content: 'no XML' }), 'signature'),
      await refused(toUs(unsigned, { content: '<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>' }), 'signature'),
      await refused(toUs(unsigned, { content: '<x/>' }), 'signature'),
      await refused(() => encrypted(valid, stranger), 'signature'),
      await refused(
        async () => (await encrypted(valid, recipient)).replace(/(<xenc:CipherValue>)(.{8})/g, '$1AAAAAAAA'),
        'signature',
      ),
      await refused((flow) => responseXml(flow.facts()), 'signature'),
    ];
    // The page must not show which check failed.
    const bare = pages.map((page) => page.replaceAll(/<code>[^<]+<\/code>/g, ''));
    assert.equal(new Set(bare).size, 1);
  });

  it('is rejected when another encrypted assertion replaces that of a signed response', async () => {
    await refused(async (flow) => {
      const whole = signed(await encrypted(responseXml(flow.facts()), recipient), 'Response', honest.key);
      const another = await encrypted(honestXml(flow.facts({ uid: 'root' }), other), recipient);
      return whole.replace(partOf(whole, 'saml:EncryptedAssertion'), () =>
        partOf(another, 'saml:EncryptedAssertion'),
      );
    }, 'signature');
  });

  it('is rejected beside an unencrypted assertion', async () => {
    await refused(async () => {
      const xml = valid;
      const more = partOf(await encrypted(valid, recipient), 'saml:EncryptedAssertion');
      return xml.replace('</samlp:Response>', () => `${more}</samlp:Response>`);
    }, 'structure');
  });

  it('is rejected with more than one key or ciphertext', async () => {
    for (const name of ['xenc:EncryptedData', 'e:EncryptedKey', 'xenc:CipherData']) {
      await refused(async () => {
        const xml = await encrypted(valid, recipient);
        const part = new RegExp(`<${name}[ >][\\s\\S]*</${name}>`).exec(xml)?.[0] ?? assert.fail(xml);
        return xml.replace(part, () => part + part.replaceAll(/ Id="[^"]*"/g, ''));
      }, 'structure');
    }
  });

  for (const [what, options] of [
    ['PKCS #1 v1.5', { key: 'http://www.w3.org/2001/04/xmlenc#rsa-1_5' }],
    ['AES-CBC', { data: 'http://www.w3.org/2001/04/xmlenc#aes128-cbc' }],
    ['triple DES', { data: 'http://www.w3.org/2001/04/xmlenc#tripledes-cbc' }],
  ] as const) {
    it(`is rejected with ${what}`, async () => {
      await refused(() => encrypted(valid, recipient, options), 'algorithm');
    });
  }
});

describe('an assertion with missing or repeated elements', () => {
  for (const name of ['Issuer', 'Subject', 'Conditions', 'AuthnStatement'] as const) {
    it(`is rejected when ${name} is missing or repeated`, async () => {
      for (const times of [0, 2]) {
        await refused((flow) => {
          const of = flow.facts();
          const whole = assertionXml(of);
          const part = partOf(whole, `saml:${name}`);
          const changed = whole.replace(part, () => part.repeat(times));
          return signed(responseXml(of, changed), 'Response', honest.key);
        }, 'structure');
      }
    });
  }

  it('is rejected with another version or without an ID', async () => {
    for (const [from, to] of [
      [/(<saml:Assertion[^>]*) Version="2.0"/, '$1 Version="1.1"'],
      [/(<saml:Assertion[^>]*) ID="[^"]+"/, '$1'],
    ] as const) {
      await refused(
        (flow) => signed(responseXml(flow.facts()).replace(from, to), 'Response', honest.key),
        'structure',
      );
    }
  });
});
