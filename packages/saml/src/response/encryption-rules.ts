import { shown } from '@watchword/protocol';
import { SamlError } from '../saml-error.ts';
import { withDescendants, type XmlElement } from '../xml/element.ts';
import { ds, xenc, xenc11 } from '../xml/namespaces.ts';

export interface EncryptionPolicy {
  /** CBC is not authenticated: an attacker with enough attempts can decrypt (Jager and Somorovsky, 2011). */
  readonly allowCbc: boolean;
}

/** An algorithm with its parameters: the content of an `EncryptionMethod`. */
export interface EncryptionMethod {
  readonly algorithm: string;
  /** URI of a `DigestMethod`. */
  readonly digest?: string;
  /** URI of an `MGF`. */
  readonly mask?: string;
}

const gcm: readonly EncryptionMethod[] = [
  { algorithm: `${xenc11}aes128-gcm` },
  { algorithm: `${xenc11}aes256-gcm` },
];
const cbc: readonly EncryptionMethod[] = [
  { algorithm: `${xenc}aes128-cbc` },
  { algorithm: `${xenc}aes256-cbc` },
];
// RSA-OAEP with one hash for digest and mask, as OpenSSL does it. With two hashes, JavaScript would remove the padding.
const keyTransport: readonly EncryptionMethod[] = [
  { algorithm: `${xenc}rsa-oaep-mgf1p` },
  { algorithm: `${xenc11}rsa-oaep`, digest: `${xenc}sha256`, mask: `${xenc11}mgf1sha256` },
  { algorithm: `${xenc11}rsa-oaep`, digest: `${xenc}sha512`, mask: `${xenc11}mgf1sha512` },
];
/** The same method with its default written out: the digest is SHA-1 (XML Encryption 1.1 §5.5.2). */
const withExplicitDefault: readonly EncryptionMethod[] = [
  { algorithm: `${xenc}rsa-oaep-mgf1p`, digest: `${ds}sha1` },
];

// The library finds these elements by name alone, so their numbers must be exact.
const counts: Readonly<Record<string, readonly [min: number, max: number]>> = {
  EncryptedData: [1, 1],
  EncryptedKey: [1, 1],
  EncryptionMethod: [2, 2],
  CipherData: [2, 2],
  CipherValue: [2, 2],
  RetrievalMethod: [0, 1],
  DigestMethod: [0, 1],
  MGF: [0, 1],
  OAEPparams: [0, 1],
};

/** The encryption methods that this server accepts, for its metadata; the most common first. */
export function encryptionMethods({ allowCbc }: EncryptionPolicy): readonly EncryptionMethod[] {
  return [...gcm, ...(allowCbc ? cbc : []), ...keyTransport];
}

/** @throws SamlError for an encrypted element of another form, or with an algorithm that is not allowed */
export function requireEncryptionForm(encrypted: XmlElement, { allowCbc }: EncryptionPolicy): void {
  const elements = [...withDescendants(encrypted)];
  for (const [name, [min, max]] of Object.entries(counts)) {
    const count = elements.filter((element) => element.name === name).length;
    if (count < min || count > max) {
      throw new SamlError(
        'structure',
        `the ${encrypted.name} has ${count} elements ${name}; expected ${min === max ? min : `${min} to ${max}`}`,
      );
    }
  }
  for (const [name, allowed] of [
    ['EncryptedData', allowCbc ? [...gcm, ...cbc] : gcm],
    ['EncryptedKey', [...keyTransport, ...withExplicitDefault]],
  ] as const) {
    const used = methodOf(elements.find((element) => element.name === name));
    if (allowed.some((method) => isSame(method, used))) continue;
    throw new SamlError('algorithm', `the ${name} uses ${inWords(used)}, which is not allowed`);
  }
}

function methodOf(encrypted: XmlElement | undefined): EncryptionMethod {
  const method = encrypted?.children.find(({ name }) => name === 'EncryptionMethod');
  const parameter = (name: string) =>
    method?.children.find((child) => child.name === name)?.attributes.get('Algorithm');
  const [digest, mask] = [parameter('DigestMethod'), parameter('MGF')];
  return {
    algorithm: method?.attributes.get('Algorithm') ?? '',
    ...(digest !== undefined && { digest }),
    ...(mask !== undefined && { mask }),
  };
}

function isSame(a: EncryptionMethod, b: EncryptionMethod): boolean {
  return a.algorithm === b.algorithm && a.digest === b.digest && a.mask === b.mask;
}

function inWords({ algorithm, digest, mask }: EncryptionMethod): string {
  const quoted = (text: string) => shown(text, 100);
  return [
    quoted(algorithm),
    ...(digest === undefined ? [] : [`with the digest ${quoted(digest)}`]),
    ...(mask === undefined ? [] : [`with the mask ${quoted(mask)}`]),
  ].join(' ');
}
