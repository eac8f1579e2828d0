/** An address, and a name that mail programs show in front of it. */
export interface MailPerson {
  readonly name: string;
  readonly address: string;
}

/**
 * Whether a text is one address, and nothing else: no list, no name, no comment, no quoted part, and nothing that begins a header
 * (RFC 5321 §4.1.2, without its quoted strings and address literals). Letters of all scripts are letters (RFC 6531).
 */
export function isMailAddress(text: string): boolean {
  if (text.length > 254) return false;
  const [local = '', domain = '', ...others] = text.split('@');
  if (others.length > 0 || local.length > 64) return false;
  return atoms.test(local) && labels.test(domain) && domain.length <= 253;
}

const atoms = /^[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}!#$%&'*+/=?^_`{|}~-]+)*$/u;
const labels = /^[\p{L}\p{N}](?:[\p{L}\p{M}\p{N}-]{0,62})(?:\.[\p{L}\p{N}][\p{L}\p{M}\p{N}-]{0,62})*$/u;

/** Whether a text is an address, or a name with an address: `Example <no-reply@example.org>`. */
export function isSender(text: string): boolean {
  return senderOf(text) !== undefined;
}

export function senderOf(text: string): MailPerson | undefined {
  const [, name = '', named] = /^([^<>"\p{C}]{0,200}?) *<([^<>]+)>$/u.exec(text) ?? [];
  const address = named ?? text;
  return isMailAddress(address) ? { name: named === undefined ? '' : name, address } : undefined;
}
