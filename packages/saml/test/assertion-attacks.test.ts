import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { testKey } from '@watchword/testkit/certificate';
import {
  assertAccepted,
  assertRefused,
  beginFlow,
  type Flow,
  honest,
  honestXml,
  onPaper,
  other,
} from './support/flow.ts';
import {
  assertionXml,
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
const recipient = testKey('recipient');
const enveloped = 'http://www.w3.org/2000/09/xmldsig#enveloped-signature';
const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#';

let service: Service;
before(async () => {
  service = await startService({
    identityProviders: [onPaper(honest, { name: 'Honest' }), onPaper(other, { name: 'Other' })],
    encryption: [{ key: recipient.key, certificate: recipient.certificate }],
  });
});
after(() => service[Symbol.asyncDispose]());

/** Emma's own assertion, honestly signed, made into mallory's try at being root. */
const evil = (xml: string) => xml.replaceAll('>emma<', '>root<');
const without = (xml: string, part: string) => xml.replace(part, '');
const renamed = (xml: string) => xml.replaceAll(/ ID="[^"]+"/g, () => ` ID="${newId()}"`);

async function refused(
  make: (flow: Flow) => string | Buffer | Promise<string | Buffer>,
  check: string,
  status?: number,
): Promise<string> {
  const flow = await beginFlow(service);
  return assertRefused(service, flow, await make(flow), check, status);
}

const stated = (more: Sloppy<ResponseFacts>) => (flow: Flow) => honestXml(flow.facts(more));

describe('an honest response', () => {
  for (const [form, make] of [
    ['with a signed assertion', (of: ResponseFacts) => honestXml(of)],
    ['that is signed itself', (of: ResponseFacts) => signed(responseXml(of), 'Response', honest.key)],
    ['in which both are signed', (of: ResponseFacts) => signed(honestXml(of), 'Response', honest.key)],
    ['whose signed assertion is encrypted', (of: ResponseFacts) => encrypted(honestXml(of), recipient)],
    [
      'that is signed over an encrypted assertion',
      async (of: ResponseFacts) =>
        signed(await encrypted(responseXml(of), recipient), 'Response', honest.key),
    ],
    [
      'signed with RSA-SHA512',
      (of: ResponseFacts) =>
        signed(responseXml(of), 'Assertion', honest.key, {
          signatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha512',
          digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha512',
        }),
    ],
  ] as const) {
    it(`lets its person in: ${form}`, async () => {
      const flow = await beginFlow(service);
      const principal = await service.principalOf(
        await assertAccepted(service, flow, await make(flow.facts())),
      );
      assert.equal((principal as { name: string }).name, 'emma');
    });
  }
});

describe('SA-1: a response by somebody else', () => {
  it('unsigned is refused', async () => {
    await refused((flow) => responseXml(flow.facts()), 'signature');
  });

  for (const name of ['Response', 'Assertion'] as const) {
    it(`with a ${name} signed by a key of its own, in KeyInfo too, is refused`, async () => {
      await refused((flow) => signed(responseXml(flow.facts()), name, stranger), 'signature');
    });

    it(`with a ${name} signed by a key of its own and the right certificate in KeyInfo is refused`, async () => {
      const keyInfo = honest.key;
      await refused((flow) => signed(responseXml(flow.facts()), name, stranger, { keyInfo }), 'signature');
    });

    it(`with a ${name} that was changed after it was signed is refused`, async () => {
      await refused((flow) => evil(signed(responseXml(flow.facts()), name, honest.key)), 'signature');
    });
  }

  it('that is signed twice is refused, even if both are right', async () => {
    await refused((flow) => {
      const xml = honestXml(flow.facts());
      const signature = partOf(xml, 'ds:Signature');
      return xml.replace(signature, () => signature + signature);
    }, 'signature');
    assert.match(service.refusals().at(-1)?.detail ?? '', /signed twice/);
  });

  it('with a wrong signature beside a right one is refused', async () => {
    await refused(
      (flow) => signed(signed(responseXml(flow.facts()), 'Assertion', stranger), 'Response', honest.key),
      'signature',
    );
    await refused((flow) => signed(honestXml(flow.facts()), 'Response', stranger), 'signature');
  });

  it('of one identity provider in the name of another is refused, whoever was asked', async () => {
    for (const asked of [honest, other]) {
      const flow = await beginFlow(service, asked);
      const of = flow.facts({ issuer: honest.entityId, assertionIssuer: honest.entityId });
      await assertRefused(service, flow, honestXml(of, other), 'signature');
      const mixed = flow.facts({ issuer: other.entityId, assertionIssuer: honest.entityId });
      await assertRefused(service, flow, honestXml(mixed, other), 'issuer');
      const whole = signed(responseXml({ ...mixed, issuer: other.entityId }), 'Response', other.key);
      await assertRefused(service, flow, whole, 'issuer');
    }
  });

  it('of an identity provider that was not asked lets nobody in', async () => {
    const flow = await beginFlow(service, honest);
    const of = flow.facts({ issuer: other.entityId, assertionIssuer: other.entityId });
    const answer = await fetch(service.acs, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({
        RelayState: flow.relayState,
        SAMLResponse: Buffer.from(honestXml(of, other)).toString('base64'),
      }),
    });
    const page = await flow.agent.get(answer.headers.get('location') ?? '');
    assert.equal(page.status, 400, page.text);
    assert.equal(service.refusals().at(-1)?.check, 'request');
  });

  it('of an identity provider that nobody knows is refused', async () => {
    const unknown = 'https://unknown.example';
    await refused(stated({ issuer: unknown, assertionIssuer: unknown }), 'provider');
  });
});

describe('SA-2: signature wrapping', () => {
  const signedResponse = ({ facts }: Flow) => signed(responseXml(facts()), 'Response', honest.key);
  const signedAssertion = ({ facts }: Flow) => honestXml(facts());

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
    'XSW3: another assertion before the signed one'(flow) {
      const original = signedAssertion(flow);
      const assertion = partOf(original, 'saml:Assertion');
      const copy = evil(renamed(without(assertion, partOf(assertion, 'ds:Signature'))));
      return original.replace(assertion, () => `${copy}${assertion}`);
    },
    'XSW4: the signed assertion inside another'(flow) {
      const original = signedAssertion(flow);
      const assertion = partOf(original, 'saml:Assertion');
      const copy = evil(renamed(without(assertion, partOf(assertion, 'ds:Signature'))));
      return original.replace(assertion, () =>
        copy.replace('</saml:Assertion>', `${assertion}</saml:Assertion>`),
      );
    },
    'XSW5: another assertion with the signature, the signed one at the end'(flow) {
      const original = signedAssertion(flow);
      const assertion = partOf(original, 'saml:Assertion');
      const bare = without(assertion, partOf(assertion, 'ds:Signature'));
      const copy = evil(assertion).replace(/ ID="[^"]+"/, () => ` ID="${newId()}"`);
      return original.replace(assertion, () => `${copy}${bare}`);
    },
    'XSW6: the signed assertion inside the signature of another'(flow) {
      const original = signedAssertion(flow);
      const assertion = partOf(original, 'saml:Assertion');
      const signature = partOf(assertion, 'ds:Signature');
      const bare = without(assertion, signature);
      const inside = signature.replace('</ds:Signature>', `${bare}</ds:Signature>`);
      const copy = evil(renamed(bare)).replace('<saml:Subject>', () => `${inside}<saml:Subject>`);
      return original.replace(assertion, () => copy);
    },
    'XSW7: another assertion in Extensions'(flow) {
      const original = signedAssertion(flow);
      const assertion = partOf(original, 'saml:Assertion');
      const copy = evil(without(assertion, partOf(assertion, 'ds:Signature')));
      const extensions = `<samlp:Extensions>${copy}</samlp:Extensions>`;
      return original.replace('<samlp:Status>', () => `${extensions}<samlp:Status>`);
    },
    'XSW8: the signed assertion in an Object of the signature of another'(flow) {
      const original = signedAssertion(flow);
      const assertion = partOf(original, 'saml:Assertion');
      const signature = partOf(assertion, 'ds:Signature');
      const bare = without(assertion, signature);
      const inside = signature.replace('</ds:Signature>', `<ds:Object>${bare}</ds:Object></ds:Signature>`);
      return original.replace(assertion, () => evil(assertion).replace(signature, () => inside));
    },
    'another assertion in Advice'(flow) {
      const original = signedAssertion(flow);
      const copy = evil(
        renamed(without(partOf(original, 'saml:Assertion'), partOf(original, 'ds:Signature'))),
      );
      return original.replace(
        '<saml:AuthnStatement',
        () => `<saml:Advice>${copy}</saml:Advice><saml:AuthnStatement`,
      );
    },
    'another assertion in StatusDetail'(flow) {
      const original = signedAssertion(flow);
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
    'another assertion in no namespace, of which only the name is the same'(flow) {
      const copy = '<x:Assertion xmlns:x="urn:x" ID="_x">root</x:Assertion>';
      return signedAssertion(flow).replace('<samlp:Status>', () => `${copy}<samlp:Status>`);
    },
    'an assertion one level down'(flow) {
      const original = signedAssertion(flow);
      const assertion = partOf(original, 'saml:Assertion');
      return original.replace(assertion, () => `<samlp:Extensions>${assertion}</samlp:Extensions>`);
    },
  };

  for (const [shape, make] of Object.entries(shapes)) {
    it(`is refused: ${shape}`, async () => {
      await refused(make, 'structure');
    });
  }
});

describe('SA-3: what is read is what was signed', () => {
  it('a signature that was moved is refused', async () => {
    await refused((flow) => {
      const xml = honestXml(flow.facts());
      const signature = partOf(xml, 'ds:Signature');
      return without(xml, signature).replace('<samlp:Status>', () => `${signature}<samlp:Status>`);
    }, 'signature');
    await refused((flow) => {
      const xml = honestXml(flow.facts());
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
    it(`a signature whose Reference is ${JSON.stringify(uri)} is refused`, async () => {
      await refused(
        (flow) => honestXml(flow.facts()).replace(/<ds:Reference URI="[^"]*"/, `<ds:Reference URI="${uri}"`),
        'signature',
      );
    });
  }

  it('two elements with one ID, by any spelling of its name, are refused', async () => {
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

  it('an ID in a namespace is refused', async () => {
    await refused(
      (flow) => honestXml(flow.facts()).replace('<samlp:Status>', '<samlp:Status samlp:ID="_x">'),
      'structure',
    );
  });

  it('an attribute that is there twice is refused', async () => {
    await refused(
      (flow) =>
        honestXml(flow.facts()).replace(/ InResponseTo="[^"]+">/, (all) => `${all.slice(0, -1)}${all}`),
      'xml',
      400,
    );
  });

  it('elements of another namespace, or of none, are not taken for those of SAML', async () => {
    await refused(
      (flow) => honestXml(flow.facts()).replaceAll('urn:oasis:names:tc:SAML:2.0:assertion', 'urn:x'),
      'structure',
    );
    await refused(
      (flow) => honestXml(flow.facts()).replaceAll('urn:oasis:names:tc:SAML:2.0:protocol', 'urn:x'),
      'structure',
    );
    await refused(
      (flow) => honestXml(flow.facts()).replaceAll('http://www.w3.org/2000/09/xmldsig#"', 'urn:x"'),
      'structure',
    );
  });

  it('a namespace that canonicalization would stumble over is refused', async () => {
    for (const uri of ['1', '../x', 'x y', '//x', 'urn:x y', ' urn:x', 'urn:x&#xA;', 'urn:x&#xA0;', ' ']) {
      await refused(
        (flow) => honestXml(flow.facts()).replace('<samlp:Response ', `<samlp:Response xmlns:ns="${uri}" `),
        'xml',
        400,
      );
    }
  });

  it('a comment in a name does not cut it: it is refused, as any comment, and so are CDATA and instructions', async () => {
    for (const inside of ['em<!-- -->ma', '<!---->emma', '<![CDATA[emma]]>', 'em<?x y?>ma']) {
      const flow = await beginFlow(service);
      await assertRefused(service, flow, honestXml(flow.facts({ uid: inside })), 'xml', 400);
      await assertRefused(
        service,
        flow,
        honestXml(flow.facts()).replace('>emma<', `>${inside}<`),
        'xml',
        400,
      );
      await assertRefused(service, flow, honestXml(flow.facts({ nameId: inside })), 'xml', 400);
    }
  });

  it('a value with elements in it, or in two pieces, is not taken for another one', async () => {
    const flow = await beginFlow(service);
    const uid = 'root</saml:AttributeValue><saml:AttributeValue>emma';
    const code = await fetch(service.acs, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({
        RelayState: flow.relayState,
        SAMLResponse: Buffer.from(honestXml(flow.facts({ uid }))).toString('base64'),
      }),
    });
    const page = await flow.agent.get(code.headers.get('location') ?? '');
    assert.equal(page.status, 403);
    assert.equal(service.refusals().at(-1)?.check, 'name');
  });
});

describe('a text with elements in it', () => {
  const element = '<x xmlns="urn:x"/>';
  for (const [what, facts] of [
    ['an attribute value', { uid: `emma${element}` }],
    ['an attribute value', { uid: `em${element}ma` }],
    ['an attribute value that is a NameID too', { uid: 'emma<saml:NameID>root</saml:NameID>' }],
    [
      'an attribute value of two NameIDs',
      { uid: '<saml:NameID>emma</saml:NameID><saml:NameID>x</saml:NameID>' },
    ],
    ['a NameID in an attribute value', { uid: `<saml:NameID>em${element}ma</saml:NameID>` }],
    ['a NameID', { nameId: `n-1${element}` }],
    ['a NameID', { nameId: `n-${element}1` }],
    ['an Audience', { audience: `https://id.example/saml/metadata${element}` }],
    ['an Issuer of an assertion', { assertionIssuer: `${honest.entityId}${element}` }],
  ] as const) {
    it(`is refused in ${what}: ${JSON.stringify(facts)}`, async () => {
      await refused(stated(facts), 'structure');
    });
  }

  it('is refused in the Issuer of a response', async () => {
    await refused(
      (flow) => honestXml(flow.facts()).replace('</saml:Issuer>', `${element}</saml:Issuer>`),
      'structure',
    );
  });

  it('is none where an attribute value is a NameID, between white space', async () => {
    const flow = await beginFlow(service);
    const xml = honestXml(flow.facts({ uid: '\n  <saml:NameID Format="urn:x">emma</saml:NameID>\n' }));
    const principal = await service.principalOf(await assertAccepted(service, flow, xml));
    assert.equal((principal as { name: string }).name, 'emma');
  });
});

describe('SA-6: XML that is more than XML', () => {
  const doctype = '<!DOCTYPE r [<!ENTITY e SYSTEM "http://127.0.0.1:1/x">]>';

  for (const [what, change] of [
    ['a DOCTYPE', (xml: string) => `<!DOCTYPE samlp:Response>${xml}`],
    ['an external entity', (xml: string) => doctype + xml.replace('>emma<', '>&e;<')],
    [
      'a parameter entity',
      (xml: string) => `<!DOCTYPE r [<!ENTITY % e SYSTEM "http://127.0.0.1:1/x"> %e;]>${xml}`,
    ],
    ['an external DTD', (xml: string) => `<!DOCTYPE r SYSTEM "file:///etc/passwd">${xml}`],
    ['an entity that nobody declared', (xml: string) => xml.replace('>emma<', '>&root;<')],
    ['two roots', (xml: string) => xml + xml],
    ['bytes after its end', (xml: string) => `${xml}x`],
    ['a character that XML does not have', (xml: string) => xml.replace('>emma<', '>em&#0;ma<')],
    ['an instruction before its root', (xml: string) => `<?xml-stylesheet href="x"?>${xml}`],
    ['an encoding that is not UTF-8', (xml: string) => `<?xml version="1.0" encoding="UTF-7"?>${xml}`],
    ['another version of XML', (xml: string) => `<?xml version="1.1"?>${xml}`],
    ['an end that is missing', (xml: string) => xml.slice(0, -10)],
  ] as const) {
    it(`is refused: ${what}`, async () => {
      await refused((flow) => change(honestXml(flow.facts())), 'xml', 400);
    });
  }

  it('is refused: UTF-16, and bytes that are no UTF-8', async () => {
    await refused((flow) => Buffer.from(honestXml(flow.facts()), 'utf16le'), 'xml', 400);
    await refused(
      (flow) => Buffer.concat([Buffer.from(honestXml(flow.facts())), Buffer.from([0xff, 0xfe])]),
      'encoding',
      400,
    );
  });
});

describe('SA-7: a response that is meant to cost', () => {
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
      'an entity that is repeated',
      (xml: string) =>
        `<!DOCTYPE r [<!ENTITY a "${'a'.repeat(50_000)}">]>${xml.replace('>emma<', `>${'&a;'.repeat(10_000)}<`)}`,
      'xml',
    ],
    [
      '10,000 levels',
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
    it(`is refused: ${what}`, async () => {
      const flow = await beginFlow(service);
      const xml = change(honestXml(flow.facts()));
      assert.ok(xml.length < 380_000 * 3, 'it fits into the limit of a body');
      await assertRefused(service, flow, xml.slice(0, 380_000), check, check === 'xml' ? 400 : 403);
    });
  }

  it('is not read: 5 MB', async () => {
    const flow = await beginFlow(service);
    const answer = await fetch(service.acs, {
      method: 'POST',
      body: new URLSearchParams({ RelayState: flow.relayState, SAMLResponse: 'A'.repeat(5_000_000) }),
    }).catch(() => undefined);
    // A server that has answered may close the connection while the rest is still being sent.
    assert.ok(answer === undefined || answer.status === 413);
    assert.ok((await fetch(`${service.baseUrl}/healthz`)).ok);
  });
});

describe('SA-8: an algorithm that proves nothing', () => {
  const by = (options: Parameters<typeof signed>[3]) => (flow: Flow) =>
    signed(responseXml(flow.facts()), 'Assertion', honest.key, options);

  it('is refused: RSA with SHA-1', async () => {
    await refused(by({ signatureAlgorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1' }), 'algorithm');
  });

  it('is refused: a digest by SHA-1', async () => {
    await refused(by({ digestAlgorithm: 'http://www.w3.org/2000/09/xmldsig#sha1' }), 'algorithm');
  });

  it('is refused: an HMAC whose secret is the public certificate', async () => {
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
    it(`is refused: the transform ${JSON.stringify(algorithm)}`, async () => {
      const before = `<ds:Transform Algorithm="${exclusive}"/>`;
      await refused(
        (flow) => honestXml(flow.facts()).replace(before, `<ds:Transform Algorithm="${algorithm}"/>`),
        'algorithm',
      );
    });
  }

  it('is refused: a third transform, one of which the first is not enveloped, and none', async () => {
    const added = `<ds:Transform Algorithm="${exclusive}"/></ds:Transforms>`;
    await refused((flow) => honestXml(flow.facts()).replace('</ds:Transforms>', added), 'signature');
    await refused(by({ transforms: [exclusive, enveloped] }), 'algorithm');
    await refused(
      (flow) => honestXml(flow.facts()).replace(/<ds:Transforms>.*<\/ds:Transforms>/, '<ds:Transforms/>'),
      'signature',
    );
  });

  it('is refused: something within a transform or a method', async () => {
    for (const name of [
      'ds:SignatureMethod',
      'ds:DigestMethod',
      'ds:CanonicalizationMethod',
      'ds:Transform',
    ]) {
      await refused(
        (flow) =>
          honestXml(flow.facts()).replace(
            new RegExp(`<${name} Algorithm="([^"]+)"/>`),
            `<${name} Algorithm="$1"><x xmlns="urn:x"/></${name}>`,
          ),
        'signature',
      );
      // Not by what it does to the signature: before anybody runs it.
      assert.match(service.refusals().at(-1)?.detail ?? '', /not allowed there/);
    }
  });

  it('is refused: another method where the signature does not cover it, in KeyInfo', async () => {
    for (const name of [
      'SignatureMethod',
      'CanonicalizationMethod',
      'SignedInfo',
      'SignatureValue',
      'KeyInfo',
    ]) {
      await refused(
        (flow) =>
          honestXml(flow.facts()).replace(
            '</ds:KeyInfo>',
            `<ds:${name} Algorithm="http://www.w3.org/2000/09/xmldsig#hmac-sha1">AAAA</ds:${name}></ds:KeyInfo>`,
          ),
        'signature',
      );
    }
  });

  it('is taken where the operator allows SHA-1', async () => {
    await using lax = await startService({ identityProviders: [onPaper(honest)], allowSha1: true });
    const flow = await beginFlow(lax);
    const xml = signed(responseXml(flow.facts()), 'Assertion', honest.key, {
      signatureAlgorithm: 'http://www.w3.org/2000/09/xmldsig#rsa-sha1',
      digestAlgorithm: 'http://www.w3.org/2000/09/xmldsig#sha1',
    });
    await assertAccepted(lax, flow, xml);
  });
});

describe('SA-9: an assertion for somebody else', () => {
  it('is refused when it has no audience', async () => {
    await refused(stated({ audience: undefined }), 'audience');
    await refused((flow) => honestXml(flow.facts({ audience: '' })), 'audience');
  });

  it('is refused when its audience is another one, or ours in other letters', async () => {
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

  it('is refused when one of two restrictions does not name us', async () => {
    await refused((flow) => {
      const xml = responseXml(flow.facts());
      const more =
        '<saml:AudienceRestriction><saml:Audience>urn:x</saml:Audience></saml:AudienceRestriction>';
      return signed(xml.replace('</saml:Conditions>', `${more}</saml:Conditions>`), 'Assertion', honest.key);
    }, 'audience');
  });

  it('is taken when we are among several audiences', async () => {
    const flow = await beginFlow(service);
    const audience = `urn:x</saml:Audience><saml:Audience>${service.baseUrl}/saml/metadata`;
    await assertAccepted(service, flow, honestXml(flow.facts({ audience })));
  });
});

describe('SA-10: an assertion for another address', () => {
  it('is refused when Destination is missing or another one', async () => {
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

  it('is refused when Recipient is missing or another one', async () => {
    for (const recipient of [undefined, '', 'https://elsewhere.example/acs', `${service.acs}/`]) {
      await refused(stated({ recipient }), 'recipient');
    }
  });

  it('is refused without SubjectConfirmation, without its data, and when it is not by bearer', async () => {
    const edited = (pattern: RegExp) => (flow: Flow) =>
      signed(responseXml(flow.facts()).replace(pattern, ''), 'Assertion', honest.key);
    await refused(edited(/<saml:SubjectConfirmation .*<\/saml:SubjectConfirmation>/), 'confirmation');
    await refused(edited(/<saml:SubjectConfirmationData[^>]*\/>/), 'confirmation');
    await refused(edited(/<saml:Subject>.*<\/saml:Subject>/), 'structure');
    await refused(stated({ method: 'urn:oasis:names:tc:SAML:2.0:cm:sender-vouches' }), 'confirmation');
  });

  it('is refused when it answers another request, or none', async () => {
    await refused(stated({ inResponseTo: undefined, assertionInResponseTo: undefined }), 'request', 400);
    await refused(stated({ assertionInResponseTo: '_other' }), 'request', 400);
    await refused(stated({ assertionInResponseTo: undefined }), 'request', 400);
    await refused(
      (flow) => honestXml(flow.facts({ inResponseTo: '_other', assertionInResponseTo: flow.requestId })),
      'request',
      400,
    );
  });

  it('lets nobody in when it answers a request that this browser did not make', async () => {
    const [mine, theirs] = [await beginFlow(service), await beginFlow(service)];
    const answer = await fetch(service.acs, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({
        RelayState: theirs.relayState,
        SAMLResponse: Buffer.from(honestXml(mine.facts())).toString('base64'),
      }),
    });
    const page = await theirs.agent.get(answer.headers.get('location') ?? '');
    assert.equal(page.status, 400, page.text);
    assert.equal(service.refusals().at(-1)?.check, 'request');
    assert.equal(
      theirs.agent.cookies.some(({ name }) => name === 'watchword_session'),
      false,
    );
  });
});

describe('SA-13: an assertion at the wrong time', () => {
  it('is refused when it has expired, or is not valid yet', async () => {
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

  it('is taken within the time that clocks may differ', async () => {
    for (const more of [
      { notOnOrAfter: -60, confirmationEnd: -60 },
      { notBefore: 60, authnInstant: 60 },
    ]) {
      const flow = await beginFlow(service);
      await assertAccepted(service, flow, honestXml(flow.facts(more)));
    }
  });

  for (const value of [
    undefined,
    '',
    'now',
    '2026-01-01',
    '2099-13-01T00:00:00Z',
    '2099-01-01T00:00:00',
    '2099-01-01T00:00:00+02:00',
    '9999999999',
  ]) {
    it(`is refused when a time is ${JSON.stringify(value)}`, async () => {
      await refused(stated({ notOnOrAfter: value }), 'time');
      await refused(stated({ confirmationEnd: value }), 'time');
      await refused(stated({ notBefore: value }), 'time');
      if (value !== undefined) await refused(stated({ authnInstant: value }), 'time');
    });
  }

  it('is refused when the session at the identity provider is over', async () => {
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

  it('lets nobody in when a login of now was asked for, and the person logged in before', async () => {
    const flow = await beginFlow(service, honest, '&prompt=login');
    const answer = await fetch(service.acs, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({
        RelayState: flow.relayState,
        SAMLResponse: Buffer.from(honestXml(flow.facts({ authnInstant: -3600 }))).toString('base64'),
      }),
    });
    const page = await flow.agent.get(answer.headers.get('location') ?? '');
    assert.equal(page.status, 403);
    assert.equal(service.refusals().at(-1)?.check, 'time');
  });
});

describe('SA-15: an encrypted assertion', () => {
  const toUs =
    (make: (flow: Flow) => string, options?: Parameters<typeof encrypted>[2]) => async (flow: Flow) =>
      encrypted(make(flow), recipient, options);
  const unsigned = (flow: Flow) => responseXml(flow.facts());

  it('that anybody could have encrypted is refused: unsigned, by a stranger, or something else', async () => {
    const pages = [
      await refused(toUs(unsigned), 'signature'),
      await refused(
        toUs((flow) => signed(unsigned(flow), 'Assertion', stranger)),
        'signature',
      ),
      await refused(toUs(unsigned, { content: 'no XML' }), 'signature'),
      await refused(toUs(unsigned, { content: '<!DOCTYPE x [<!ENTITY a "b">]><x>&a;</x>' }), 'signature'),
      await refused(toUs(unsigned, { content: '<x/>' }), 'signature'),
      await refused((flow) => encrypted(honestXml(flow.facts()), stranger), 'signature'),
      await refused(
        async (flow) =>
          (await encrypted(honestXml(flow.facts()), recipient)).replace(
            /(<xenc:CipherValue>)(.{8})/g,
            '$1AAAAAAAA',
          ),
        'signature',
      ),
      await refused((flow) => responseXml(flow.facts()), 'signature'),
    ];
    // Whoever probes sees one and the same page.
    const bare = pages.map((page) => page.replaceAll(/<code>[^<]+<\/code>/g, ''));
    assert.equal(new Set(bare).size, 1);
  });

  it('is refused when the signed one is replaced by another within a signed response', async () => {
    await refused(async (flow) => {
      const whole = signed(await encrypted(responseXml(flow.facts()), recipient), 'Response', honest.key);
      const another = await encrypted(honestXml(flow.facts({ uid: 'root' }), other), recipient);
      return whole.replace(partOf(whole, 'saml:EncryptedAssertion'), () =>
        partOf(another, 'saml:EncryptedAssertion'),
      );
    }, 'signature');
  });

  it('is refused beside a plain one, and when there are two', async () => {
    await refused(async (flow) => {
      const xml = honestXml(flow.facts());
      const more = partOf(await encrypted(honestXml(flow.facts()), recipient), 'saml:EncryptedAssertion');
      return xml.replace('</samlp:Response>', () => `${more}</samlp:Response>`);
    }, 'structure');
  });

  it('is refused when it has more keys or data than one', async () => {
    for (const name of ['xenc:EncryptedData', 'e:EncryptedKey', 'xenc:CipherData']) {
      await refused(async (flow) => {
        const xml = await encrypted(honestXml(flow.facts()), recipient);
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
    it(`is refused when it uses ${what}`, async () => {
      await refused((flow) => encrypted(honestXml(flow.facts()), recipient, options), 'algorithm');
    });
  }
});

describe('an assertion that says more or less than one thing', () => {
  for (const name of ['Issuer', 'Subject', 'Conditions', 'AuthnStatement'] as const) {
    it(`is refused when ${name} is missing, or there twice`, async () => {
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

  it('is refused when it is of another version, or has no ID', async () => {
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
