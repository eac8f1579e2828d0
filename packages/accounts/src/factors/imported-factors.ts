import { importedKey, PasskeyError } from '@watchword/passkeys';
import {
  type Account,
  accountIdentityProvider,
  type Clock,
  type Credential,
  isObject,
  type JsonObject,
  type Random,
  subjectOf,
  timeOrderedId,
  type Violations,
} from '@watchword/protocol';
import { type ImportedPasskey, passkeyFields } from '../passkeys/passkey-data.ts';
import { factorName } from './enrolment.ts';
import { type FactorSecrets, totpData } from './factor-secrets.ts';
import { base32Octets } from './totp.ts';

/** A factor of another product that was checked. Its secret is not sealed yet. */
export type ImportedFactor = { readonly name: string } & (
  | { readonly kind: 'totp'; readonly secret: string }
  | { readonly kind: 'passkey'; readonly passkey: ImportedPasskey; readonly userHandle: string }
);

export interface ImportDependencies {
  readonly clock: Clock;
  readonly random: Random;
  readonly secrets: Pick<FactorSecrets, 'seal'>;
  /** The key of all subjects, see `SubjectKeyStore`. */
  readonly subjectSecret: Uint8Array;
}

/** What the factors of an import can be: JSON Schema. */
export const importedFactorsSchema = {
  type: ['array', 'null'],
  description: 'Apps for one-time codes and passkeys of the user.',
  items: {
    oneOf: [
      {
        type: 'object',
        properties: {
          kind: { const: 'totp' },
          name: { type: 'string', description: 'By which the user knows the app.' },
          secret: { type: 'string', description: 'Base32. Codes have 6 digits, SHA-1 and 30 seconds.' },
        },
        required: ['kind', 'secret'],
        additionalProperties: false,
      },
      {
        type: 'object',
        properties: {
          kind: { const: 'passkey' },
          name: { type: 'string', description: 'By which the user knows the passkey.' },
          credentialId: { type: 'string', description: 'base64url' },
          publicKey: { type: 'string', description: 'COSE key or SubjectPublicKeyInfo, base64url.' },
          userHandle: { type: 'string', description: 'user.id of the registration, base64url.' },
          counter: { type: 'integer', description: 'Signature counter. Default: 0.' },
          backupEligible: {
            type: 'boolean',
            description: 'The flag BE of the registration. Left out: that of the first login here.',
          },
          backedUp: { type: 'boolean', description: 'The flag BS. Default: false.' },
          transports: { type: 'array', items: { type: 'string' } },
        },
        required: ['kind', 'credentialId', 'publicKey', 'userHandle'],
        additionalProperties: false,
      },
    ],
  },
} as const;

/** How many of each kind a person has at most. */
const most = { totp: 10, passkey: 20 } as const;

// Octets. Old products made secrets of 80 bits, and HMAC hashes what is longer than its block (RFC 2104).
const [leastSecret, mostSecret] = [10, 64];
const mostCounter = 2 ** 32 - 1;

/** Reads the factors of an imported account. What is wrong is added with its place, and never with a secret. */
export async function importedFactors(given: unknown, violations: Violations): Promise<ImportedFactor[]> {
  if (given === undefined || given === null) return [];
  if (!Array.isArray(given)) {
    violations.add('factors', 'must be a list');
    return [];
  }
  const read = await Promise.all(
    given.map((each, index) => factorOf(each, new Place(`factors[${index}]`, violations))),
  );
  const factors = read.filter((each) => each !== undefined);
  for (const kind of ['totp', 'passkey'] as const) {
    if (factors.filter((each) => each.kind === kind).length > most[kind])
      violations.add('factors', `must have at most ${most[kind]} of the kind ${kind}`);
  }
  return factors;
}

/** The credentials of a new account. @throws KeyManagementError where nothing can be sealed */
export function credentialsOf(
  factors: readonly ImportedFactor[],
  { id: accountId, username }: Account,
  { clock, random, secrets, subjectSecret }: ImportDependencies,
): Promise<Credential[]> {
  const owner = { identityProvider: accountIdentityProvider, name: username };
  const subject = subjectOf(subjectSecret, { ...owner, stableId: accountId });
  const now = clock.now();
  return Promise.all(
    factors.map(async (factor) => {
      const { kind, name } = factor;
      const of = { id: timeOrderedId(now, random), subject };
      const kept =
        factor.kind === 'totp'
          ? { counter: 0, data: await totpData(of, factor.secret, secrets) }
          : passkeyFields(factor.passkey, factor.userHandle, accountId);
      return { ...of, owner, kind, name, creationDate: now, lastUsed: 0, ...kept };
    }),
  );
}

/** Where a factor is, for what is wrong with it. */
class Place {
  readonly #path: string;
  readonly #violations: Violations;

  constructor(path: string, violations: Violations) {
    this.#path = path;
    this.#violations = violations;
  }

  add(member: string | undefined, problem: string): undefined {
    this.#violations.add(member === undefined ? this.#path : `${this.#path}.${member}`, problem);
  }

  /** Whether the object has no member but these. */
  hasOnly(object: JsonObject, members: readonly string[]): boolean {
    const unknown = Object.keys(object).filter((name) => !members.includes(name));
    for (const name of unknown) this.add(undefined, `has the unknown member ${JSON.stringify(name)}`);
    return unknown.length === 0;
  }

  /** @param longest octets */
  octets(object: JsonObject, member: string, longest: number): Buffer | undefined {
    const given = object[member];
    const text = typeof given === 'string' ? given.replace(/={0,2}$/, '') : '';
    const octets = Buffer.from(text, 'base64url');
    const isWhole = octets.toString('base64url') === text.replaceAll('+', '-').replaceAll('/', '_');
    if (octets.length > 0 && isWhole && octets.length <= longest) return octets;
    return this.add(member, `must be 1 to ${longest} octets in base64url`);
  }
}

async function factorOf(given: unknown, place: Place): Promise<ImportedFactor | undefined> {
  if (!isObject(given)) return place.add(undefined, 'must be an object');
  const { name: typed = '' } = given;
  const name = typeof typed === 'string' ? factorName(typed) : undefined;
  if (name === undefined) return place.add('name', 'must be a text of at most 50 characters');
  if (given.kind === 'totp') return totpOf(given, name, place);
  if (given.kind === 'passkey') return passkeyOf(given, name, place);
  return place.add('kind', 'must be "totp" or "passkey"');
}

function totpOf(given: JsonObject, name: string, place: Place): ImportedFactor | undefined {
  if (!place.hasOnly(given, ['kind', 'name', 'secret'])) return undefined;
  const secret = String(given.secret ?? '')
    .replaceAll(/[\s-]/g, '')
    .replace(/=+$/, '')
    .toUpperCase();
  const { length } = /^[A-Z2-7]+$/.test(secret) ? base32Octets(secret) : [];
  if (length >= leastSecret && length <= mostSecret) return { kind: 'totp', name, secret };
  return place.add('secret', `must be Base32 of ${leastSecret} to ${mostSecret} octets`);
}

const membersOfPasskey = [
  ...['kind', 'name', 'credentialId', 'publicKey', 'userHandle', 'counter'],
  ...['backupEligible', 'backedUp', 'transports'],
];

async function passkeyOf(given: JsonObject, name: string, place: Place): Promise<ImportedFactor | undefined> {
  const isKnown = place.hasOnly(given, membersOfPasskey);
  const id = place.octets(given, 'credentialId', 1023);
  const userHandle = place.octets(given, 'userHandle', 64);
  const publicKey = place.octets(given, 'publicKey', 4096);
  const key = publicKey && (await importedKey(publicKey).catch(refusedIn(place)));
  const { counter = 0, backupEligible, backedUp = false, transports = [] } = given;
  const isCounter = Number.isInteger(counter) && Number(counter) >= 0 && Number(counter) <= mostCounter;
  if (!isCounter) place.add('counter', `must be a whole number from 0 to ${mostCounter}`);
  const isFlag = backupEligible === undefined || typeof backupEligible === 'boolean';
  if (!isFlag)
    place.add(
      'backupEligible',
      'must be true or false, or left out: with another value than its own, a passkey is refused',
    );
  const isState = backedUp === false || (backedUp === true && backupEligible === true);
  if (!isState) place.add('backedUp', 'must be false, or true beside "backupEligible": true');
  const areTransports = Array.isArray(transports) && transports.every(isTransport);
  if (!areTransports) place.add('transports', 'must be a list of words such as "internal" and "hybrid"');
  const isRight = isKnown && isCounter && isFlag && isState && areTransports;
  if (!isRight || id === undefined || userHandle === undefined || key === undefined) return undefined;
  return {
    ...{ kind: 'passkey', name, userHandle: userHandle.toString('base64url') },
    passkey: {
      ...{ ...key, id: id.toString('base64url'), counter: Number(counter) },
      ...{
        isBackupEligible: backupEligible as boolean | undefined,
        isBackedUp: backedUp === true,
        transports: transports as string[],
      },
    },
  };
}

function refusedIn(place: Place): (error: unknown) => undefined {
  return (error) => {
    if (!(error instanceof PasskeyError)) throw error;
    return place.add('publicKey', error.message);
  };
}

function isTransport(each: unknown): each is string {
  return typeof each === 'string' && /^[a-z][a-z-]{0,31}$/.test(each);
}
