import { childOf, childrenOf, withDescendants, type XmlElement } from '../xml/element.ts';
import { ds } from '../xml/namespaces.ts';
import { digestMethods, sha1, signatureMethods } from './algorithms.ts';

/** Why a signature is not even looked at. */
export interface SignatureFault {
  readonly check: 'signature' | 'algorithm';
  readonly detail: string;
}

export interface AlgorithmPolicy {
  readonly allowSha1: boolean;
}

export const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#';
const inclusive = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315';
const enveloped = `${ds}enveloped-signature`;

const canonicalizations: readonly string[] = [exclusive, inclusive];

// With some certificates in KeyInfo it has some twenty. That part is not signed, anybody could add to it, and a search
// through thousands of elements would take seconds.
const maxElements = 100;

// Each of them is looked for by its name somewhere below the signature: there must be one to find.
const uniqueNames = [
  'SignedInfo',
  'CanonicalizationMethod',
  'SignatureMethod',
  'Reference',
  'Transforms',
  'DigestMethod',
  'DigestValue',
  'SignatureValue',
];

/**
 * Whether a signature has the one form that SAML allows (Core §5.4): over the element that it is in and nothing
 * else, by algorithms that are known to be good. The mathematics are checked elsewhere.
 *
 * @param parentId value of the attribute `ID` of the element that the signature is in
 */
export function signatureFault(
  signature: XmlElement,
  parentId: string,
  { allowSha1 }: AlgorithmPolicy,
): SignatureFault | undefined {
  const fault = (detail: string): SignatureFault => ({ check: 'signature', detail });
  const names = [...withDescendants(signature)].map(({ name }) => name);
  if (names.length > maxElements) return fault(`the signature has more than ${maxElements} elements`);
  const repeated = uniqueNames.find((name) => names.filter((each) => each === name).length !== 1);
  if (repeated !== undefined) return fault(`the signature must have one ${repeated}`);
  if (names.filter((name) => name === 'KeyInfo').length > 1) return fault('the signature has two KeyInfo');

  const signedInfo = childOf(signature, ds, 'SignedInfo');
  const reference = childOf(signedInfo, ds, 'Reference');
  const transforms = childrenOf(childOf(reference, ds, 'Transforms'), ds, 'Transform');
  const shapes: readonly [XmlElement | undefined, readonly string[]][] = [
    [signature, ['SignedInfo', 'SignatureValue', 'KeyInfo']],
    [signedInfo, ['CanonicalizationMethod', 'SignatureMethod', 'Reference']],
    [childOf(signedInfo, ds, 'CanonicalizationMethod'), ['InclusiveNamespaces']],
    [childOf(signedInfo, ds, 'SignatureMethod'), []],
    [reference, ['Transforms', 'DigestMethod', 'DigestValue']],
    [childOf(reference, ds, 'Transforms'), ['Transform']],
    [childOf(reference, ds, 'DigestMethod'), []],
    [childOf(reference, ds, 'DigestValue'), []],
    [childOf(signature, ds, 'SignatureValue'), []],
    ...transforms.map((transform): [XmlElement, string[]] => [transform, ['InclusiveNamespaces']]),
  ];
  for (const [element, allowed] of shapes) {
    if (element === undefined) return fault('the signature lacks an element');
    if (element.children.some(({ name }) => !allowed.includes(name))) {
      return fault(`there is something in ${element.name} that has no place there`);
    }
  }
  if (parentId === '' || reference?.attributes.get('URI') !== `#${parentId}`) {
    return fault('the signature is not about the element that it is in');
  }
  if (transforms.length < 1 || transforms.length > 2) return fault('there must be one or two transforms');
  return algorithmFault(signedInfo, reference, transforms, allowSha1);
}

function algorithmFault(
  signedInfo: XmlElement | undefined,
  reference: XmlElement,
  transforms: readonly XmlElement[],
  allowSha1: boolean,
): SignatureFault | undefined {
  const of = (element: XmlElement | undefined) => element?.attributes.get('Algorithm') ?? '';
  const signature = allowed(signatureMethods, allowSha1 ? sha1.signatureMethods : none);
  const digest = allowed(digestMethods, allowSha1 ? sha1.digestMethods : none);
  const [first, second = exclusive] = transforms.map(of);
  const uses: readonly [string, string, readonly string[]][] = [
    ['CanonicalizationMethod', of(childOf(signedInfo, ds, 'CanonicalizationMethod')), canonicalizations],
    ['SignatureMethod', of(childOf(signedInfo, ds, 'SignatureMethod')), signature],
    ['DigestMethod', of(childOf(reference, ds, 'DigestMethod')), digest],
    ['Transform', first ?? '', [enveloped]],
    ['Transform', second, canonicalizations],
  ];
  const wrong = uses.find(([, algorithm, known]) => !known.includes(algorithm));
  if (wrong === undefined) return undefined;
  const [place, algorithm] = wrong;
  const shown = algorithm.slice(0, 100);
  return { check: 'algorithm', detail: `the ${place} ${JSON.stringify(shown)} is not among those allowed` };
}

const none: ReadonlyMap<string, unknown> = new Map();

function allowed(...methods: readonly ReadonlyMap<string, unknown>[]): readonly string[] {
  return methods.flatMap((each) => [...each.keys()]);
}
