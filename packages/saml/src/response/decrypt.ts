import { decrypt } from 'xml-encryption';
import type { KeyPair } from '../options/keys.ts';
import { SamlRefusal } from '../refusal.ts';
import { type ScreenPolicy, screenDecrypted } from './screen.ts';

export interface DecryptedAssertion {
  readonly xml: string;
  readonly isSigned: boolean;
}

/**
 * Decrypts the assertion of a response, and looks at the form of what was in it before any other parser does.
 *
 * @throws SamlRefusal
 */
export async function decryptAssertion(
  xml: string,
  encryption: readonly KeyPair[],
  policy: ScreenPolicy,
): Promise<DecryptedAssertion> {
  const decrypted = await decryptElement(xml, 'EncryptedAssertion', encryption);
  return { xml: decrypted, isSigned: screenedAlike(decrypted, policy) };
}

/**
 * Finds the key that opens the one encrypted element of this name in a message.
 *
 * @param xml a message whose form is right, that of what is encrypted included
 * @throws SamlRefusal
 */
export async function decryptElement(
  xml: string,
  name: 'EncryptedAssertion' | 'EncryptedID',
  encryption: readonly KeyPair[],
): Promise<string> {
  if (encryption.length === 0) {
    throw new SamlRefusal(
      'signature',
      `there is an ${name}, and there is no key in the option encryption to open it`,
    );
  }
  const encrypted = encryptedPart(xml, name);
  for (const { key } of encryption) {
    const decrypted = await decryptWith(key, encrypted);
    if (decrypted !== undefined) return decrypted;
  }
  throw undecipherable();
}

// One answer for a wrong key, a wrong padding and wrong content: else who tries could find out which it was.
export function undecipherable(): SamlRefusal {
  return new SamlRefusal('signature', 'what is encrypted cannot be decrypted, or is not what it should be');
}

function screenedAlike(xml: string, policy: ScreenPolicy): boolean {
  try {
    return screenDecrypted(xml, policy);
  } catch (error) {
    if (error instanceof SamlRefusal && error.check !== 'algorithm') throw undecipherable();
    throw error;
  }
}

/** Of a screened message: there is one such element, and nothing in which a tag could stand that is none. */
function encryptedPart(xml: string, name: string): string {
  return new RegExp(`<((?:[\\w.-]+:)?${name})[\\s>][\\s\\S]*</\\1\\s*>`).exec(xml)?.[0] ?? '';
}

function decryptWith(key: string, xml: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    // Which algorithms are good enough was decided before; here CBC may be one that the operator allows.
    const options = { key, disallowDecryptionWithInsecureAlgorithm: false, warnInsecureAlgorithm: false };
    decrypt(xml, options, (error, result) => resolve(error === null ? result : undefined));
  });
}
