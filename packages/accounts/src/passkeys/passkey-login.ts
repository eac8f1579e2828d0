import {
  ceremonyTimeout,
  PasskeyError,
  type PresentedPasskey,
  type RelyingParty,
  type RequestOptions,
  readAuthentication,
  requestOptions,
  verifyAuthentication,
} from '@watchword/passkeys';
import {
  type Clock,
  type Credential,
  type CredentialStore,
  isObject,
  type Message,
  type OneTimeStore,
  type Random,
  randomText,
} from '@watchword/protocol';
import { dataAfter, storedPasskey } from './passkey-data.ts';

export interface PasskeyDependencies {
  readonly relyingParty: RelyingParty;
  readonly credentials: Pick<CredentialStore, 'findByHandle' | 'use'>;
  readonly oneTime: Pick<OneTimeStore, 'put'>;
  readonly clock: Clock;
  readonly random: Random;
  /** Reports an answer that broke a rule of WebAuthn. @param detail without challenges, keys and personal data */
  readonly onRefused?: ((check: string, detail: string) => void) | undefined;
}

/** What a page asks a browser for, and what its form has to bring back for the answer. */
export interface AskedPasskey {
  readonly options: RequestOptions;
  readonly state: Challenge;
}

/** Sealed into the page, so that it belongs to one browser. */
export interface Challenge {
  /** base64url of 32 random octets. */
  readonly challenge: string;
  /** Epoch milliseconds. */
  readonly until: number;
}

export interface UnprovedPasskey {
  readonly message: Message;
  /** The credential id of a passkey that is not known here: browsers forget it when they are told. */
  readonly unknown?: string;
}

/** Logins with passkeys, as the first or as a further factor: the rules of WebAuthn are in `@watchword/passkeys`. */
export interface PasskeyLogin {
  /** @param own the passkeys that the page asks for; absent: the user chooses one of any account */
  ask(own?: readonly Credential[]): AskedPasskey;
  /** The passkey that an answer names. Nothing is proved. */
  find(text: string, own?: readonly Credential[]): Promise<PresentedCredential | UnprovedPasskey>;
  /** The user has it. A challenge is answered once, on all nodes together. @param state of the form */
  prove(presented: PresentedCredential, state: unknown): Promise<Credential | UnprovedPasskey>;
}

export interface PresentedCredential {
  readonly credential: Credential;
  readonly presented: PresentedPasskey;
  /** Whether the page asked for it. */
  readonly isAsked: boolean;
}

export function passkeyLogin(deps: PasskeyDependencies): PasskeyLogin {
  const { relyingParty, credentials } = deps;
  return {
    ask(own) {
      const state = newChallenge(deps);
      const allowed = own?.map(storedPasskey);
      return { options: requestOptions({ relyingParty, ...state, ...(allowed && { allowed }) }), state };
    },

    async find(text, own) {
      // The button of a page whose script does not run, or whose browser has no passkeys, posts nothing.
      if (text === '') return unproved('script');
      const presented = read(text, deps);
      if (presented === undefined) return unproved('refused');
      const { id } = presented;
      const credential =
        own === undefined ? await credentials.findByHandle(id) : own.find(({ handle }) => handle === id);
      return credential === undefined
        ? { ...unproved('unknown'), unknown: id }
        : { credential, presented, isAsked: own !== undefined };
    },

    async prove({ credential, presented, isAsked }, state) {
      const challenge = await redeemed(state, deps);
      if (challenge === undefined) return unproved('late');
      const stored = storedPasskey(credential);
      const asked = { relyingParty, challenge, ...(isAsked && { allowed: [stored.id] }) };
      const used = await verifyAuthentication(presented, stored, asked).catch(refusedBy(deps));
      if (used === undefined) return unproved('refused');
      const data = dataAfter(used, credential);
      const use = {
        counter: used.counter,
        lastUsed: deps.clock.now(),
        ...(data !== undefined && { data }),
      };
      // It was removed, or used with a higher counter meanwhile.
      return (await credentials.use(credential.id, use)) ? { ...credential, ...use } : unproved('refused');
    },
  };
}

export function isProved(answer: object): answer is Credential {
  return !('message' in answer);
}

export function newChallenge({ clock, random }: Pick<PasskeyDependencies, 'clock' | 'random'>): Challenge {
  return { challenge: randomText(random, 32), until: clock.now() + ceremonyTimeout };
}

/** The challenge of a form, for its first answer within five minutes. */
export async function redeemed(
  state: unknown,
  { clock, oneTime }: Pick<PasskeyDependencies, 'clock' | 'oneTime'>,
): Promise<string | undefined> {
  const { challenge, until } = isObject(state) ? state : {};
  if (typeof challenge !== 'string' || typeof until !== 'number' || until <= clock.now()) return undefined;
  return (await oneTime.put(`passkey ${challenge}`, '', until)) ? challenge : undefined;
}

function read(text: string, deps: Pick<PasskeyDependencies, 'onRefused'>): PresentedPasskey | undefined {
  try {
    return readAuthentication(text);
  } catch (error) {
    return refusedBy(deps)(error);
  }
}

/** @throws any other error than one of the answer */
export function refusedBy({
  onRefused,
}: Pick<PasskeyDependencies, 'onRefused'>): (error: unknown) => undefined {
  return (error) => {
    if (!(error instanceof PasskeyError)) throw error;
    onRefused?.(error.check, error.message);
    return undefined;
  };
}

function unproved(key: 'script' | 'refused' | 'unknown' | 'late'): UnprovedPasskey {
  return { message: { key: `passkey.${key}` } };
}

/** How the user logged in (RFC 8176): a key in hardware, or one that is on several devices; and the device has verified the user. */
export function passkeyMethods(credential: Credential): readonly string[] {
  return [storedPasskey(credential).isBackupEligible ? 'swk' : 'hwk', 'user', 'mfa'];
}
