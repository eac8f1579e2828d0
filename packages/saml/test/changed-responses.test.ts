import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rounds } from '@watchword/testkit';
import fc from 'fast-check';
import { readOptions } from '../src/options/read-options.ts';
import { readAssertion } from '../src/response/assertion.ts';
import { screenResponse } from '../src/response/screen.ts';
import { verifyResponse } from '../src/response/verify.ts';
import { SamlError } from '../src/saml-error.ts';
import { describedProvider, honest } from './support/flow.ts';
import { facts, responseXml, signed } from './support/response.ts';

const { inline, ...options } = readOptions({ identityProviders: [describedProvider(honest)] });
const provider = inline[0] ?? assert.fail();
const service = { entityId: 'https://id.example/saml/metadata', acs: 'https://id.example/saml/acs' };
const of = facts({
  issuer: honest.entityId,
  acs: service.acs,
  audience: service.entityId,
  inResponseTo: '_request',
});

const unsigned = responseXml(of);
const assertionSigned = signed(unsigned, 'Assertion', honest.key);
const originals = [
  assertionSigned,
  signed(unsigned, 'Response', honest.key),
  signed(assertionSigned, 'Response', honest.key),
];

// Texts that parsers read differently, or that an attacker could add.
const pieces = [
  ...[
    'root',
    ' ',
    '\n',
    '\r\n',
    '\u0000',
    '\u0085',
    '\u2028',
    '\ufeff',
    '&#13;',
    '&#x0;',
    '&#xFFFE;',
    '&lt;',
  ],
  ...['<!-- -->', '<![CDATA[x]]>', '<?x?>', '<x/>', '<x xmlns="urn:x"/>', '<ds:Object/>'],
  ...[' ID="_z"', ' xml:id="_z"', ' xmlns:saml="urn:x"', ' xmlns:__proto__="urn:x"', ' xmlns="urn:x"'],
  '<saml:NameID>root</saml:NameID>',
  '<saml:Attribute Name="urn:mace:dir:attribute-def:uid"><saml:AttributeValue>root</saml:AttributeValue></saml:Attribute>',
];
const around = [
  ['<samlp:Extensions>', '</samlp:Extensions>'],
  ['<saml:Advice>', '</saml:Advice>'],
  ['<ds:Object>', '</ds:Object>'],
  ['<x xmlns="urn:x">', '</x>'],
] as const;
const changes = ['copy', 'replace', 'remove', 'move', 'wrap', 'insert', 'insertInTag', 'rename'] as const;
const change = fc.record({
  what: fc.constantFrom(...changes),
  // All elements, with the security-relevant ones more often.
  name: fc.constantFrom('saml:Assertion', 'ds:Signature', 'saml:Subject', ''),
  at: fc.nat(),
  isRenamed: fc.boolean(),
  isBare: fc.boolean(),
  to: fc.nat(),
  piece: fc.constantFrom(...pieces),
  wrap: fc.constantFrom(...around),
});
type Change = typeof change extends fc.Arbitrary<infer Value> ? Value : never;

/** Start and end of each element whose name has this beginning. */
function elementsIn(xml: string, name = ''): [start: number, end: number][] {
  const elements: [number, number][] = [];
  const open: number[] = [];
  for (const { 0: tag, index } of xml.matchAll(/<\/?[\w:.-]+[^>]*>/g)) {
    const end = index + tag.length;
    if (tag.startsWith('</')) elements.push([open.pop() ?? 0, end]);
    else if (tag.endsWith('/>')) elements.push([index, end]);
    else open.push(index);
  }
  return elements.filter(([start]) => xml.startsWith(name, start + 1));
}

function changed(xml: string, { what, name, at, isRenamed, isBare, to, piece, wrap }: Change): string {
  const [elements, places] = [elementsIn(xml, name), elementsIn(xml)];
  const [start, end] = elements[at % elements.length] ?? [0, xml.length];
  const [target] = places[to % places.length] ?? [0];
  const [before, element, after] = [xml.slice(0, start), xml.slice(start, end), xml.slice(end)];
  const other = element.replaceAll('emma', 'root').replaceAll('>n-1<', '>root<');
  const bare = isBare ? other.replaceAll(/<ds:Signature .*?<\/ds:Signature>/gs, '') : other;
  const evil = isRenamed ? bare.replaceAll(/ ID="[^"]+"/g, ' ID="_renamed"') : bare;
  const inserted = (text: string, place: number) => xml.slice(0, place) + text + xml.slice(place);
  switch (what) {
    case 'copy':
      return inserted(evil, target);
    case 'replace':
      return before + evil + after;
    case 'remove':
      return before + after;
    case 'move':
      return target < start
        ? xml.slice(0, target) + element + xml.slice(target, start) + after
        : before + xml.slice(end, Math.max(end, target)) + element + xml.slice(Math.max(end, target));
    case 'wrap':
      return before + wrap[0] + element + wrap[1] + after;
    case 'insert':
      return inserted(piece, to % xml.length);
    case 'insertInTag':
      return inserted(piece, xml.indexOf('>', start));
    case 'rename':
      return before + element.replace(/ ID="[^"]+"/, ' ID="_renamed"') + after;
  }
}

describe('a response that was changed after it was signed', () => {
  it('is read as it was signed, or is rejected', async () => {
    const { issuer, inResponseTo = '' } = of;
    const expected = { issuer, service, inResponseTo, now: Date.now(), clockSkew: options.clockSkew };
    const read = async (xml: string) =>
      readAssertion(
        await verifyResponse(screenResponse(xml, options), provider, {
          ...options,
          policy: options,
        }),
        expected,
      );
    const honestly = await read(assertionSigned);
    assert.equal(honestly.nameId?.value, 'n-1');
    const original = fc.nat(originals.length - 1);
    const property = fc.asyncProperty(
      original,
      fc.array(change, { minLength: 1, maxLength: 3 }),
      async (index, all) => {
        try {
          assert.deepEqual(await read(all.reduce(changed, originals[index] ?? '')), honestly);
        } catch (error) {
          if (!(error instanceof SamlError)) throw error;
        }
      },
    );
    await fc.assert(property, { numRuns: rounds(40, 1000) });
  });
});
