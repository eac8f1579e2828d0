import { type ClientSecret, isValidSecret, lastDate, maxClientSecrets } from '../../model/client-secret.ts';
import type { MachineSecret, NumberedSecrets } from '../../model/machine-secret.ts';
import type { Client } from '../../model/records/client.ts';
import { sha256 } from '../../rules/sha256.ts';

/** All secrets of a client, the newest first, with those that have expired and are still known. */
export function secretsOf(secret: MachineSecret | undefined): readonly ClientSecret[] {
  return numbered(secret).secrets;
}

/** The secrets with their ids. Nobody gave ids to those of a client that has had one secret, or two of an earlier release. */
function numbered(secret: MachineSecret | undefined): NumberedSecrets {
  if (secret === undefined) return { lastId: 0, secrets: [] };
  if (secret.numbered !== undefined) return secret.numbered;
  const { hash, previousHash, previousValidUntil, creationDate = 0 } = secret;
  const id = newestId(secret);
  const newest = { id, ...noDetails, creationDate, hash };
  if (previousHash === undefined) return { lastId: id, secrets: [newest] };
  const previous = {
    id: id - 1,
    description: noDetails.description,
    creationDate: 0,
    expires: previousValidUntil,
    hash: previousHash,
  };
  return { lastId: id, secrets: previousValidUntil === 0 ? [newest] : [newest, previous] };
}

/** The id of the secret that is not the previous one, where nobody gave it one. */
export function newestId({ previousHash }: Pick<MachineSecret, 'previousHash'>): number {
  return previousHash === undefined ? 1 : 2;
}

/** What is chosen of a secret. */
export type SecretDetails = Pick<ClientSecret, 'description' | 'expires'>;

// A name, because error-descriptions.test.ts takes each text behind `description:` for that of an error.
const nothing = '';
/** Of a secret of which nothing was chosen. */
export const noDetails: SecretDetails = { description: nothing, expires: 0 };

/** With one more secret. If there is no room, the one makes it that ends first, or has ended. */
export function withNewSecret(
  text: string,
  details: SecretDetails,
  before: MachineSecret | undefined,
  now: number,
): MachineSecret {
  return withNewest(text, details, numbered(before), now);
}

function withNewest(
  text: string,
  details: SecretDetails,
  { lastId, secrets }: NumberedSecrets,
  now: number,
): MachineSecret {
  const secret = { id: lastId + 1, ...details, creationDate: now, hash: sha256(text) };
  const kept = lastToEnd(secrets).slice(0, maxClientSecrets - 1);
  return stored(secret.id, [secret, ...secrets.filter((each) => kept.includes(each))]);
}

/** The secrets in another order, in which those that never end are the first ones; of equal ones the newest. */
export function lastToEnd(secrets: readonly ClientSecret[]): readonly ClientSecret[] {
  const end = ({ expires }: ClientSecret) => expires || lastDate;
  return secrets.toSorted((a, b) => end(b) - end(a));
}

/** With other details of the secret of an id. */
export function withChangedSecret(before: MachineSecret, id: number, details: SecretDetails): MachineSecret {
  const { lastId, secrets } = numbered(before);
  return stored(
    lastId,
    secrets.map((each) => (each.id === id ? { ...each, ...details } : each)),
  );
}

/** `undefined` if no secret is left. */
export function withoutSecret(before: MachineSecret, id: number): MachineSecret | undefined {
  const { lastId, secrets } = numbered(before);
  const left = secrets.filter((each) => each.id !== id);
  return left.length === 0 ? undefined : stored(lastId, left);
}

/**
 * After a rotation: every secret before it is valid for at most `overlapSeconds` more. Without an overlap the server forgets them,
 * so that a clock that is set back cannot make one valid again.
 */
export function rotatedClientSecret(
  text: string,
  before: MachineSecret | undefined,
  now: number,
  overlapSeconds: number,
): MachineSecret {
  const { lastId, secrets } = numbered(before);
  return withNewest(text, noDetails, { lastId, secrets: afterRotation(secrets, now, overlapSeconds) }, now);
}

function afterRotation(
  secrets: readonly ClientSecret[],
  now: number,
  overlapSeconds: number,
): ClientSecret[] {
  return overlapSeconds === 0 ? [] : endingBy(secrets, now + overlapSeconds * 1000);
}

/** The secrets, none of which is valid for longer. */
export function endingBy(secrets: readonly ClientSecret[], until: number): ClientSecret[] {
  return secrets.map((each) => ({
    ...each,
    expires: each.expires === 0 ? until : Math.min(each.expires, until),
  }));
}

/** As after a rotation to a secret that the client has already, without an end; `undefined` if no other one is valid. */
export function withOnlySecret(
  text: string,
  before: MachineSecret | undefined,
  now: number,
  overlapSeconds: number,
): MachineSecret | undefined {
  const { lastId, secrets } = numbered(before);
  const digest = sha256(text);
  const isIt = ({ hash, expires }: ClientSecret) => expires === 0 && digest.equals(hash);
  if (!secrets.some((each) => isValidSecret(each, now) && !isIt(each))) return undefined;
  const left = secrets.flatMap((each) => (isIt(each) ? [each] : afterRotation([each], now, overlapSeconds)));
  return stored(lastId, left);
}

/** Those of the secrets that have no end. */
export function lastingSecrets(secret: MachineSecret | undefined): MachineSecret | undefined {
  if (secret?.numbered === undefined) return secret && { ...secret, previousHash: undefined };
  const { lastId, secrets } = secret.numbered;
  return { ...secret, numbered: { lastId, secrets: secrets.filter(({ expires }) => expires === 0) } };
}

/** With the slow hash of one of the secrets in place of its digest. */
export function withSlowHash(before: MachineSecret, text: string, slowHash: Uint8Array): MachineSecret {
  const digest = sha256(text);
  const hashOf = (hash: Uint8Array) => (digest.equals(hash) ? slowHash : hash);
  const { hash, numbered } = before;
  return {
    ...before,
    hash: hashOf(hash),
    ...(numbered && {
      numbered: {
        ...numbered,
        secrets: numbered.secrets.map((each) => ({ ...each, hash: hashOf(each.hash) })),
      },
    }),
  };
}

/** Milliseconds before the last secret of a client expires from which on operators are told: thirty days. */
export const expiresSoon = 2_592_000_000;

/** Epoch milliseconds when the last secret of the client expires, or has expired; 0 if one never does, or there is none. */
export function secretsEnd({ secret }: Pick<Client, 'secret'>): number {
  if (secret?.numbered === undefined) return 0;
  const ends = secret.numbered.secrets.map(({ expires }) => expires);
  return ends.includes(0) ? 0 : Math.max(...ends);
}

/**
 * Nodes of the release before know two secrets, and no expiry of the first: they get those that end last.
 *
 * @param secrets the newest first
 */
function stored(lastId: number, secrets: readonly ClientSecret[]): MachineSecret {
  const [newest] = secrets;
  const [first, second] = lastToEnd(secrets);
  if (newest === undefined || first === undefined)
    throw new Error('a client without a secret has nothing to store');
  return {
    hash: first.hash,
    previousHash: second?.hash,
    previousValidUntil: second === undefined ? 0 : second.expires || lastDate,
    creationDate: newest.creationDate,
    numbered: { lastId, secrets },
  };
}
