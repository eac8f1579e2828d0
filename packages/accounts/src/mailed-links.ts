import {
  type AuthState,
  type Browser,
  type Clock,
  createBearerValue,
  isSameDigest,
  type LoginAttempts,
  OAuthError,
  type PersonLink,
  type PersonLinkPurpose,
  type PersonLinkStore,
  parseBearerValue,
  type Random,
  type Sealer,
  type Submission,
  sha256,
  submitted,
} from '@watchword/protocol';
import { type PasswordProblem, problem } from './passwords/password-pages.ts';

interface MailedLinkDependencies {
  readonly personLinks: Pick<PersonLinkStore, 'find' | 'countCode'>;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly random: Random;
}

/** What is sealed with a link. */
interface SealedLink<Data> {
  /** Digest of the binding cookie of the browser that asked for it, base64url. */
  readonly binding: string;
  /** What is typed in that browser where the mail is read elsewhere. */
  readonly code: string;
  readonly data: Data;
}

interface LinkRequest<Data> extends Pick<PersonLink, 'address'> {
  readonly accountId?: string | undefined;
  /** The binding cookie of the browser that asks. */
  readonly binding: string;
  /** What is needed when the link is redeemed. */
  readonly data: Data;
}

/** A link that is to be stored and mailed. */
export interface NewLink {
  readonly stored: PersonLink;
  /** The secret part of the link, which is mailed and never stored. */
  readonly value: string;
  readonly code: string;
}

/** A link that came back in the browser that asked for it. It is not redeemed. */
export interface OpenedLink<Data> {
  readonly link: PersonLink;
  readonly data: Data;
}

/** With the ids of the links. */
interface ReturnedPage {
  readonly state: Pick<AuthState, 'links'>;
  readonly isLate: boolean;
}

interface PageAgain {
  readonly isLate?: boolean;
  readonly problem?: PasswordProblem;
}

// Less than a day, because a sealing key opens no longer. The page of a link that is not valid says it.
const lifetime = 30 * 60_000;

/**
 * Links that people ask for, each for one purpose and one browser. Whoever reads the mail of another person gets nothing by a link, and whoever
 * asks for a link to another person gets nothing without the mail.
 */
export class MailedLinks<Data> {
  readonly #deps: MailedLinkDependencies;
  readonly #purpose: PersonLinkPurpose;

  constructor(deps: MailedLinkDependencies, purpose: PersonLinkPurpose) {
    this.#deps = deps;
    this.#purpose = purpose;
  }

  make({ accountId, address, binding, data }: LinkRequest<Data>): NewLink {
    const { clock, random, sealer } = this.#deps;
    const now = clock.now();
    const { value, id, verifierHash } = createBearerValue('link', now, random);
    const code = newCode(random);
    const sealed: SealedLink<Data> = { binding: digestOf(binding), code, data };
    const stored: PersonLink = {
      id,
      purpose: this.#purpose,
      digest: verifierHash,
      ...(accountId !== undefined && { accountId }),
      address,
      data: sealer.seal(`link ${this.#purpose}`, sealed),
      creationDate: now,
      expires: now + lifetime,
    };
    return { stored, value, code };
  }

  /** `undefined` if the link is not valid. @throws OAuthError `invalid_reset_link` if it belongs to another browser */
  async open(value: string, browser: Browser): Promise<OpenedLink<Data> | undefined> {
    const presented = parseBearerValue('link', value);
    const opened = presented && (await this.#find(presented.id));
    if (presented === undefined || opened === undefined) return undefined;
    if (!isSameDigest(opened.link.digest, presented.verifierHash)) return undefined;
    if (isBound(opened.sealed, browser)) return opened.found;
    throw new OAuthError('invalid_reset_link', { text: { key: 'error.other_browser' } });
  }

  /** The link of this browser with this id, which a page of it has sealed. */
  async ofPage(id: string, browser: Browser): Promise<OpenedLink<Data> | undefined> {
    const opened = await this.#find(id);
    return opened !== undefined && isBound(opened.sealed, browser) ? opened.found : undefined;
  }

  /** The link whose code was typed on a page of its browser, or why that page comes again. Each link takes few codes. */
  async ofCode(
    { state, isLate }: ReturnedPage,
    submission: Submission,
    browser: Browser,
  ): Promise<OpenedLink<Data> | PageAgain> {
    const typed = sha256(lettersOf(submitted(submission, 'code')));
    for (const id of state.links ?? []) {
      if (!(await this.#deps.personLinks.countCode(id, this.#deps.clock.now(), maxCodes))) continue;
      const opened = await this.#find(id);
      if (opened === undefined || !isBound(opened.sealed, browser)) continue;
      if (isSameDigest(sha256(lettersOf(opened.sealed.code)), typed)) return opened.found;
    }
    // A mail can be slower than a page is kept open. The link says when it is too late.
    return isLate ? { isLate } : { problem: problem({ key: 'forgotten.wrongCode' }) };
  }

  async #find(id: string) {
    const { clock, personLinks, sealer } = this.#deps;
    const link = await personLinks.find(id, clock.now());
    if (link?.purpose !== this.#purpose) return undefined;
    const sealed = (await sealer.open(`link ${this.#purpose}`, link.data)) as SealedLink<Data> | undefined;
    return sealed && { link, sealed, found: { link, data: sealed.data } };
  }
}

/**
 * Refuses a link that is not valid. Only such links are counted: a guesser at the same address must not keep users from their links of 256
 * random bits.
 *
 * @param of what the link is for, and its id
 * @throws OAuthError `invalid_reset_link`, `too_many_requests`
 */
export async function refuseLink(
  of: string,
  { source }: Browser,
  { loginAttempts }: { readonly loginAttempts: Pick<LoginAttempts, 'begin'> },
  error = invalidLink('reset_password'),
): Promise<never> {
  const wait = await loginAttempts.begin(of, source);
  if (wait > 0) throw new OAuthError('too_many_requests', { retryAfter: Math.ceil(wait / 1000) });
  throw error;
}

/** The error of a link that is not valid any more. Its page says for how long such a link is. */
export function invalidLink(purpose: PersonLink['purpose']): OAuthError {
  const text = { key: purpose === 'invitation' ? 'error.invitation_link' : 'error.mailed_link' };
  return new OAuthError('invalid_reset_link', { text });
}

function isBound({ binding }: SealedLink<unknown>, browser: Browser): boolean {
  return browser.binding !== undefined && isSameDigest(sha256(binding), sha256(digestOf(browser.binding)));
}

function digestOf(binding: string): string {
  return sha256(binding).toString('base64url');
}

// Consonants that are hard to confuse make no words. With eight of them and five attempts, one of five thousand million guessers is right.
const letters = 'BCDFGHJKLMNPQRSTVWXZ';
const codeLength = 8;
const maxCodes = 5;

function newCode(random: Random): string {
  const bytes = Buffer.alloc(16 * codeLength);
  random.fill(bytes);
  // Each letter is equally likely: the greatest bytes would favour the first letters.
  const fair = bytes.filter((byte) => byte < 12 * letters.length).subarray(0, codeLength);
  if (fair.length < codeLength) throw new Error('expected random bytes, got hardly any below 240');
  const code = Array.from(fair, (byte) => letters[byte % letters.length]).join('');
  return `${code.slice(0, 4)}-${code.slice(4)}`;
}

/** People type codes in any case, with or without the line. */
function lettersOf(code: string): string {
  return code.toUpperCase().replaceAll(/[^A-Z]/g, '');
}
