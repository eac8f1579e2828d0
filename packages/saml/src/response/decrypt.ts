import { decrypt } from 'xml-encryption';
import type { KeyPair } from '../options/keys.ts';
import { SamlError } from '../saml-error.ts';
import { type ScreenPolicy, screenDecrypted } from './screen.ts';

export interface DecryptedAssertion {
  readonly xml: string;
  readonly isSigned: boolean;
}

/**
 * Decrypts the assertion of a response, and checks its form before any other parser reads it.
 *
 * @throws SamlError
 */
export async function decryptAssertion(
  xml: string,
  encryption: readonly KeyPair[],
  policy: ScreenPolicy,
): Promise<DecryptedAssertion> {
  const decrypted = await decryptElement(xml, 'EncryptedAssertion', encryption);
  return { xml: decrypted, isSigned: hasScreenedSignature(decrypted, policy) };
}

/**
 * Decrypts the only encrypted element of this name in a message, with the first key that fits.
 *
 * @param xml a message whose form has been checked, including the form of its encrypted element
 * @throws SamlError
 */
export async function decryptElement(
  xml: string,
  name: 'EncryptedAssertion' | 'EncryptedID',
  encryption: readonly KeyPair[],
): Promise<string> {
  if (encryption.length === 0) {
    throw new SamlError('signature', `there is an ${name}, but the option encryption has no key`);
  }
  const encrypted = encryptedPart(xml, name);
  for (const { key } of encryption) {
    const decrypted = await decryptWith(key, encrypted);
    if (decrypted !== undefined) return decrypted;
  }
  throw decryptionError();
}

// One error for a wrong key, wrong padding and wrong content: the difference would be a decryption oracle for an attacker.
export function decryptionError(): SamlError {
  return new SamlError('signature', 'the encrypted element cannot be decrypted, or its content is not valid');
}

function hasScreenedSignature(xml: string, policy: ScreenPolicy): boolean {
  try {
    return screenDecrypted(xml, policy);
  } catch (error) {
    if (error instanceof SamlError && error.check !== 'algorithm') throw decryptionError();
    throw error;
  }
}

/**
 * Finds the element by its tags. This is safe in a screened message: it has exactly one such element, and no comment or CDATA
 * section that could contain a false tag.
 */
function encryptedPart(xml: string, name: string): string {
  return new RegExp(`<((?:[\\w.-]+:)?${name})[\\s>][\\s\\S]*</\\1\\s*>`).exec(xml)?.[0] ?? '';
}

function decryptWith(key: string, xml: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    // encryption-rules.ts has checked the algorithms. The library would reject CBC, which the operator can allow.
    const options = { key, disallowDecryptionWithInsecureAlgorithm: false, warnInsecureAlgorithm: false };
    decrypt(xml, options, (error, result) => resolve(error === null ? result : undefined));
  });
}
