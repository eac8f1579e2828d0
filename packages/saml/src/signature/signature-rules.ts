import { shown } from '@watchword/protocol';
import { childOf, childrenOf, withDescendants, type XmlElement } from '../xml/element.ts';
import { ds } from '../xml/namespaces.ts';
import { digestMethods, sha1, signatureMethods } from './algorithms.ts';

/** Why a signature is rejected before it is verified. */
export interface SignatureProblem {
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

// A signature with a few certificates in KeyInfo has about twenty elements. KeyInfo is not signed, so an attacker can add
// elements to it, and a search through thousands of them would take seconds.
const maxElements = 100;

// xml-crypto finds these elements by name anywhere below the signature, so each must occur exactly once.
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
 * Why a signature does not have the form that SAML requires (Core §5.4); `undefined` when it has. It must cover exactly its
 * parent element, by allowed algorithms. `check-signature.ts` verifies the values of signature and digest.
 *
 * @param parentId value of the attribute `ID` of the parent element
 */
export function signatureProblem(
  signature: XmlElement,
  parentId: string,
  { allowSha1 }: AlgorithmPolicy,
): SignatureProblem | undefined {
  const problem = (detail: string): SignatureProblem => ({ check: 'signature', detail });
  const names = [...withDescendants(signature)].map(({ name }) => name);
  if (names.length > maxElements) return problem(`the signature has more than ${maxElements} elements`);
  const repeated = uniqueNames.find((name) => names.filter((each) => each === name).length !== 1);
  if (repeated !== undefined) return problem(`expected exactly one ${repeated} in the signature`);
  if (names.filter((name) => name === 'KeyInfo').length > 1)
    return problem('the signature has more than one KeyInfo');

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
    if (element === undefined) return problem('the signature lacks a required element');
    if (element.children.some(({ name }) => !allowed.includes(name))) {
      return problem(`${element.name} has an element that is not allowed there`);
    }
  }
  if (parentId === '' || reference?.attributes.get('URI') !== `#${parentId}`) {
    return problem('the signature does not refer to its parent element');
  }
  if (transforms.length < 1 || transforms.length > 2) return problem('expected one or two transforms');
  return algorithmProblem(signedInfo, reference, transforms, allowSha1);
}

function algorithmProblem(
  signedInfo: XmlElement | undefined,
  reference: XmlElement,
  transforms: readonly XmlElement[],
  allowSha1: boolean,
): SignatureProblem | undefined {
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
  return { check: 'algorithm', detail: `the ${place} ${shown(algorithm, 100)} is not allowed` };
}

const none: ReadonlyMap<string, unknown> = new Map();

function allowed(...methods: readonly ReadonlyMap<string, unknown>[]): readonly string[] {
  return methods.flatMap((each) => [...each.keys()]);
}
