import { timingSafeEqual } from 'node:crypto';

/** A text of this node, before and after it was sealed. */
export interface SealedText {
  readonly keyId: string;
  readonly purpose: string;
  readonly text: string;
  readonly sealed: string;
}

// About 1 MB of usual texts, at most 4 MB of the longest.
const slots = 1021;
const maxLength = 2048;

/**
 * The texts that this node sealed last, each until it is opened for the first time. A browser mostly returns to the node that
 * made its page, which then deciphers nothing: 6 % of the main thread in an authorization code flow.
 *
 * Each text has one slot, and another text can displace it at any time. So no collection grows and shrinks, which would cost
 * the garbage collector more than is saved.
 */
export class RecentTexts {
  readonly #slots = new Array<SealedText | undefined>(slots).fill(undefined);

  add(text: SealedText): void {
    if (text.sealed.length <= maxLength) this.#slots[slotOf(text.sealed)] = text;
  }

  /** Removes the text whose sealed form is exactly this; `undefined` if it is not here. */
  take(sealed: string): SealedText | undefined {
    const slot = slotOf(sealed);
    const found = this.#slots[slot];
    if (found === undefined || !isSame(found.sealed, sealed)) return undefined;
    this.#slots[slot] = undefined;
    return found;
  }
}

/** By characters of the authentication tag, which are random. The last character has fewer bits than the others. */
function slotOf(sealed: string): number {
  let sum = 0;
  for (let index = Math.max(0, sealed.length - 5); index < sealed.length - 1; index += 1) {
    sum = sum * 31 + sealed.charCodeAt(index);
  }
  return sum % slots;
}

/** A sealed text protects its form from other sites, so the time must not tell how much of it was guessed. */
function isSame(sealed: string, presented: string): boolean {
  const [one, other] = [Buffer.from(sealed), Buffer.from(presented)];
  return one.length === other.length && timingSafeEqual(one, other);
}
