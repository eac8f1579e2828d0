import { decrypt } from 'xml-encryption';
import type { KeyPair } from '../options/keys.ts';
import { SamlRefusal } from '../refusal.ts';
import { type ScreenedResponse, type ScreenPolicy, screenDecrypted } from './screen.ts';

export interface DecryptedAssertion {
  readonly xml: string;
  /** PEM, that which opened it. */
  readonly key: string;
  readonly isSigned: boolean;
}

/**
 * Finds the key that opens the encrypted assertion of a response, and looks at the form of what was in it before any
 * other parser does.
 *
 * @throws SamlRefusal
 */
export async function decryptAssertion(
  { xml }: ScreenedResponse,
  encryption: readonly KeyPair[],
  policy: ScreenPolicy,
): Promise<DecryptedAssertion> {
  if (encryption.length === 0) {
    throw new SamlRefusal(
      'signature',
      'the assertion is encrypted, and there is no key in the option encryption',
    );
  }
  const encrypted = encryptedPart(xml);
  for (const { key } of encryption) {
    const decrypted = await decryptWith(key, encrypted);
    if (decrypted !== undefined) return { xml: decrypted, key, isSigned: screenedAlike(decrypted, policy) };
  }
  throw undecipherable();
}

// One answer for a wrong key, a wrong padding and wrong content: else who tries could find out which it was.
export function undecipherable(): SamlRefusal {
  return new SamlRefusal('signature', 'the encrypted assertion cannot be decrypted, or is none');
}

function screenedAlike(xml: string, policy: ScreenPolicy): boolean {
  try {
    return screenDecrypted(xml, policy);
  } catch (error) {
    if (error instanceof SamlRefusal && error.check !== 'algorithm') throw undecipherable();
    throw error;
  }
}

/** Of a screened response: there is one such element, and nothing in which a tag could stand that is none. */
function encryptedPart(xml: string): string {
  return /<((?:[\w.-]+:)?EncryptedAssertion)[\s>][\s\S]*<\/\1\s*>/.exec(xml)?.[0] ?? '';
}

function decryptWith(key: string, xml: string): Promise<string | undefined> {
  return new Promise((resolve) => {
    decrypt(xml, { key, disallowDecryptionWithInsecureAlgorithm: true }, (error, result) =>
      resolve(error === null ? result : undefined),
    );
  });
}
