import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import { rounds } from '@watchword/testkit';
import fc from 'fast-check';
import { SignedXml } from 'xml-crypto';
import { CanonicalWriter } from '../src/metadata/canonical-writer.ts';
import { XmlStream } from '../src/xml/xml-stream.ts';
import { canonicalVectors } from './support/canonical-vectors.ts';

const limits = { depth: 100, elements: 1e5, attributes: 100, allAttributes: 1e6, allowComments: true };
const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#';

function canonical(xml: string, prefixes: readonly string[] = [], pieceLength = 1): string {
  let text = '';
  const writer = new CanonicalWriter((piece) => {
    text += piece;
  }, prefixes);
  const stream = new XmlStream(limits, {
    open: (tag) => writer.open(tag),
    close: (tag) => writer.close(tag),
    text: (piece) => writer.text(piece),
  });
  for (let start = 0; start < xml.length; start += pieceLength)
    stream.write(xml.slice(start, start + pieceLength));
  stream.end();
  return text;
}

/** The digest of xml-crypto for the same document. */
function digestOf(xml: string, prefixes: readonly string[] = []): string {
  const signature = new SignedXml({
    privateKey: 'unused',
    signatureAlgorithm: 'urn:none',
    canonicalizationAlgorithm: exclusive,
  });
  signature.SignatureAlgorithms = {
    'urn:none': class {
      getSignature = () => '';
      verifySignature = () => true;
      getAlgorithmName = () => 'urn:none';
    },
  } as unknown as typeof signature.SignatureAlgorithms;
  signature.addReference({
    xpath: '/*',
    digestAlgorithm: 'http://www.w3.org/2001/04/xmlenc#sha256',
    transforms: [exclusive],
    inclusiveNamespacesPrefixList: [...prefixes],
  });
  signature.computeSignature(xml);
  return /<DigestValue>([^<]+)</.exec(signature.getSignatureXml())?.[1] ?? '';
}

const sha256 = (text: string) => createHash('sha256').update(text).digest('base64');

describe('exclusive canonicalization of a stream', () => {
  for (const [what, xml, expected] of [
    [
      'declares a namespace where an element uses it',
      '<a xmlns:p="urn:p" xmlns:q="urn:q" ID="x"><p:b/></a>',
      '<a ID="x"><p:b xmlns:p="urn:p"></p:b></a>',
    ],
    [
      'declares a namespace once only',
      '<p:a xmlns:p="urn:p" ID="x"><p:b xmlns:p="urn:p"/><p:c/></p:a>',
      '<p:a xmlns:p="urn:p" ID="x"><p:b></p:b><p:c></p:c></p:a>',
    ],
    [
      'declares a prefix again for another namespace',
      '<p:a xmlns:p="urn:1" ID="x"><p:b xmlns:p="urn:2"/><p:c/></p:a>',
      '<p:a xmlns:p="urn:1" ID="x"><p:b xmlns:p="urn:2"></p:b><p:c></p:c></p:a>',
    ],
    [
      'undeclares the default namespace',
      '<a xmlns="urn:1" ID="x"><b xmlns=""/></a>',
      '<a xmlns="urn:1" ID="x"><b xmlns=""></b></a>',
    ],
    [
      'sorts attributes by namespace and name',
      '<a xmlns:z="urn:a" xmlns:y="urn:b" z:n="1" y:m="2" b="3" a="4" ID="x"/>',
      '<a xmlns:y="urn:b" xmlns:z="urn:a" ID="x" a="4" b="3" z:n="1" y:m="2"></a>',
    ],
    [
      'escapes texts and attributes by their own rules',
      '<a ID="x" b="&lt;&gt;&amp;&quot;&#x9;&#xA;&#xD;\'">&lt;&gt;&amp;"\'&#xD;\t\n</a>',
      '<a ID="x" b="&lt;>&amp;&quot;&#x9;&#xA;&#xD;\'">&lt;&gt;&amp;"\'&#xD;\t\n</a>',
    ],
    [
      'normalizes line ends and white space',
      '<a ID="x" b=" c\td\ne ">1\r\n2\r3</a>',
      '<a ID="x" b=" c d e ">1\n2\n3</a>',
    ],
    [
      'leaves comments out and joins the texts around them',
      '<!-- a --><a ID="x">1<!-- b -->2<![CDATA[<3>]]></a>',
      '<a ID="x">12&lt;3&gt;</a>',
    ],
    [
      'keeps xml:lang on its element',
      '<a ID="x" xml:lang="en"><b/></a>',
      '<a ID="x" xml:lang="en"><b></b></a>',
    ],
  ] as const) {
    it(what, () => {
      assert.equal(canonical(xml), expected);
    });
  }

  it('writes inclusive prefixes in scope, used or not', () => {
    const xml = '<a xmlns:p="urn:p" xmlns="urn:d" ID="x"><b xmlns:p="urn:q"/></a>';
    assert.equal(
      canonical(xml, ['p']),
      '<a xmlns="urn:d" xmlns:p="urn:p" ID="x"><b xmlns:p="urn:q"></b></a>',
    );
    assert.equal(
      canonical('<p:a xmlns="urn:d" xmlns:p="urn:p" ID="x"/>', ['#default']),
      '<p:a xmlns="urn:d" xmlns:p="urn:p" ID="x"></p:a>',
    );
  });

  for (const { what, by, prefixes, xml, canonical: expected } of canonicalVectors) {
    it(`writes ${what} as ${by} does`, () => {
      assert.equal(canonical(xml, prefixes), expected);
    });
  }

  it('sorts attributes by the code points of their namespaces', () => {
    const xml = '<a xmlns:p="urn:\u{10000}" xmlns:q="urn:\u{f900}" p:b="" q:b=""/>';
    assert.match(canonical(xml), / q:b="" p:b="">/);
  });

  // A copy of the declarations of 60 ancestors for each of 20,000 elements takes minutes.
  const costs = 'costs an element what it declares itself, however much those around it declare';
  it(costs, { timeout: 60_000 }, () => {
    const levels = Array.from({ length: 60 }, (_, level) =>
      Array.from({ length: 50 }, (_, index) => `p${index}l${level}`),
    );
    const starts = levels.map(
      (prefixes) => `<a${prefixes.map((name) => ` xmlns:${name}="urn:x"`).join('')}>`,
    );
    const inside = '<b xmlns="urn:b"></b>'.repeat(20_000);
    const xml = `${starts.join('')}${inside}${'</a>'.repeat(levels.length)}`;
    assert.ok(canonical(xml, levels.flat(), xml.length).includes(inside));
  });

  it('gives the same result as xml-crypto for any document', () => {
    const name = fc.constantFrom('a', 'b', 'c', 'Alpha');
    const prefix = fc.constantFrom('', '', 'p', 'q', 'r');
    const uri = fc.constantFrom('urn:1', 'urn:2', 'urn:3');
    const text = fc.string({ unit: fc.constantFrom('x', ' ', '<', '&', '>', '"', '\n', 'é', '👩') });
    const { element } = fc.letrec<{ element: Drawn }>((tie) => ({
      element: fc.record({
        prefix,
        name,
        declared: fc.dictionary(fc.constantFrom('d', 'p', 'q', 'r'), uri, {
          maxKeys: 3,
          noNullPrototype: true,
        }),
        attributes: fc.array(fc.tuple(prefix, name, text), { maxLength: 3 }),
        content: fc.array(fc.oneof({ maxDepth: 5 }, text, tie('element')), { maxLength: 4 }),
      }),
    }));
    fc.assert(
      fc.property(element, (root) => {
        const xml = written(root, { p: 'urn:1', q: 'urn:2', r: 'urn:3' }, true);
        assert.equal(sha256(canonical(xml)), digestOf(xml), xml);
      }),
      { numRuns: rounds(40, 500) },
    );
  });
});

interface Drawn {
  readonly prefix: string;
  readonly name: string;
  /** `d` means the default namespace. */
  readonly declared: Readonly<Record<string, string>>;
  readonly attributes: readonly (readonly [prefix: string, name: string, value: string])[];
  readonly content: readonly (string | Drawn)[];
}

/** The document as well-formed text: the root declares every prefix, and no attribute is repeated. */
function written(of: Drawn, scope: Readonly<Record<string, string>>, isRoot = false): string {
  const { d: byDefault, ...prefixed } = of.declared;
  const declared: Record<string, string> = isRoot ? { ...scope, ...prefixed } : prefixed;
  const inner = { ...scope, ...declared };
  const seen = new Set(['ID']);
  const attributes = of.attributes.filter(([prefix, name]) => {
    const expanded = prefix === '' ? name : `{${inner[prefix]}}${name}`;
    return !seen.has(expanded) && seen.add(expanded);
  });
  const qualified = (prefix: string, name: string) => (prefix === '' ? name : `${prefix}:${name}`);
  const escaped = (value: string) =>
    value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
  const start = [
    qualified(of.prefix, of.name),
    ...(byDefault === undefined ? [] : [`xmlns="${byDefault}"`]),
    ...Object.entries(declared).map(([prefix, uri]) => `xmlns:${prefix}="${uri}"`),
    ...(isRoot ? ['ID="x"'] : []),
    ...attributes.map(
      ([prefix, name, value]) => `${qualified(prefix, name)}="${escaped(value).replaceAll('\n', '&#10;')}"`,
    ),
  ];
  const content = of.content.map((each) => (typeof each === 'string' ? escaped(each) : written(each, inner)));
  return `<${start.join(' ')}>${content.join('')}</${qualified(of.prefix, of.name)}>`;
}
