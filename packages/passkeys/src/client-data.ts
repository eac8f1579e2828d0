import type { AskedCeremony } from './ceremony.ts';
import { PasskeyError } from './passkey-error.ts';
import { members, parsed } from './response.ts';

const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * What the browser signs of its page (WebAuthn Level 3 §5.8.1), by the rules of both ceremonies (§7.1 and §7.2). Unknown members are
 * ignored, as the section says. No page of the server is in a frame of another site.
 */
export function checkClientData(
  octets: Uint8Array,
  type: 'webauthn.create' | 'webauthn.get',
  { challenge, relyingParty }: AskedCeremony,
): void {
  const data = members(parsed(textOf(octets)), 'clientDataJSON');
  if (data.type !== type) throw new PasskeyError('type', `expected an answer of the type ${type}`);
  if (data.challenge !== challenge) {
    throw new PasskeyError('challenge', 'expected the challenge of this page, got another one');
  }
  if (data.origin !== relyingParty.origin) {
    throw new PasskeyError('origin', `expected the origin ${relyingParty.origin}, got another one`);
  }
  if ((data.crossOrigin ?? false) !== false || data.topOrigin !== undefined) {
    throw new PasskeyError('frame', 'expected an answer of a page that is in no frame of another site');
  }
}

function textOf(octets: Uint8Array): string {
  try {
    return utf8.decode(octets);
  } catch {
    throw new PasskeyError('form', 'expected UTF-8 in clientDataJSON');
  }
}
