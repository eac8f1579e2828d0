import { SamlRefusal } from '../refusal.ts';
import { withDescendants, type XmlElement } from '../xml/element.ts';

export interface EncryptionPolicy {
  /** CBC is not authenticated: who can ask often enough can decrypt (Jager and Somorovsky, 2011). */
  readonly allowCbc: boolean;
}

const keyTransport = ['http://www.w3.org/2001/04/xmlenc#rsa-oaep-mgf1p'];
const gcm = ['http://www.w3.org/2009/xmlenc11#aes128-gcm', 'http://www.w3.org/2009/xmlenc11#aes256-gcm'];
const cbc = ['http://www.w3.org/2001/04/xmlenc#aes128-cbc', 'http://www.w3.org/2001/04/xmlenc#aes256-cbc'];

// Each of them is looked for by its name: there must be as many as there are to find.
const counts: Readonly<Record<string, readonly [min: number, max: number]>> = {
  EncryptedData: [1, 1],
  EncryptedKey: [1, 1],
  EncryptionMethod: [2, 2],
  CipherData: [2, 2],
  CipherValue: [2, 2],
  RetrievalMethod: [0, 1],
};

/** The algorithms by which an assertion may be encrypted, for the metadata. */
export function encryptionAlgorithms({ allowCbc }: EncryptionPolicy): readonly string[] {
  return allowCbc ? [...gcm, ...cbc] : gcm;
}

/** @throws SamlRefusal for what is encrypted in another form, or in one that can be broken */
export function requireEncryptionForm(encrypted: XmlElement, policy: EncryptionPolicy): void {
  const elements = [...withDescendants(encrypted)];
  for (const [name, [min, max]] of Object.entries(counts)) {
    const count = elements.filter((element) => element.name === name).length;
    if (count < min || count > max) {
      throw new SamlRefusal('structure', `the encrypted assertion has ${count} elements ${name}`);
    }
  }
  const methodOf = (name: string) =>
    elements
      .find((element) => element.name === name)
      ?.children.find((child) => child.name === 'EncryptionMethod')
      ?.attributes.get('Algorithm') ?? '';
  for (const [name, allowed] of [
    ['EncryptedData', encryptionAlgorithms(policy)],
    ['EncryptedKey', keyTransport],
  ] as const) {
    const algorithm = methodOf(name);
    if (!allowed.includes(algorithm)) {
      const shown = JSON.stringify(algorithm.slice(0, 100));
      throw new SamlRefusal('algorithm', `the ${name} uses ${shown}, which is not among those allowed`);
    }
  }
}
