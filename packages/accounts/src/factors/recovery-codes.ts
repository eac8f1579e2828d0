import { type Credential, type Random, sha256 } from '@watchword/protocol';

/** How many a person gets at once. */
export const recoveryCodeCount = 10;

// 80 bits each, so that a plain digest is enough: nobody finds one by trying.
const codeBytes = 10;
// Crockford's Base32: no letter that is taken for another one or for a digit.
const letters = '0123456789abcdefghjkmnpqrstvwxyz';

/** New codes, as people read them: four groups of four letters and digits. */
export function newRecoveryCodes(random: Random): readonly string[] {
  return Array.from({ length: recoveryCodeCount }, () => {
    const bytes = Buffer.alloc(codeBytes);
    random.fill(bytes);
    const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('');
    const code = (bits.match(/.{5}/g) ?? []).map((group) => letters[Number.parseInt(group, 2)]).join('');
    return (code.match(/.{4}/g) ?? []).join('-');
  });
}

/** What is stored of a code. */
export function recoveryData(code: string): string {
  return JSON.stringify({ digest: digestOf(code) });
}

/** The code that was typed, among those of a person. */
export function recoveryCodeOf(typed: string, own: readonly Credential[]): Credential | undefined {
  const data = recoveryData(typed);
  return own.find((credential) => credential.kind === 'recovery_code' && credential.data === data);
}

/** People type them in any case, with or without lines, and some letters for digits. */
function digestOf(code: string): string {
  const plain = code
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[^0-9a-z]/g, '')
    .replaceAll('o', '0')
    .replaceAll(/[il]/g, '1');
  return sha256(plain).toString('base64url');
}
