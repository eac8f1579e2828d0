import { PasskeyError } from './passkey-error.ts';

/**
 * The first value of CBOR in the octets, with its maps as `Map`, and the number of octets that follow it. CTAP2 has neither lengths that
 * are not known, nor a key twice.
 *
 * @throws PasskeyError
 */
export async function decodedFirst(data: Uint8Array): Promise<readonly [unknown, number]> {
  const { decodeFirst } = await import('cborg');
  try {
    const options = { useMaps: true, allowIndefinite: false, rejectDuplicateMapKeys: true };
    const [value, rest] = decodeFirst(data, options);
    return [value, rest.length];
  } catch {
    // Also of a value that is deeper than the stack.
    throw new PasskeyError('form', 'expected CBOR');
  }
}
