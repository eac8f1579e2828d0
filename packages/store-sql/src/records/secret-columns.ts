import {
  type ClientSecret,
  endingBy,
  lastToEnd,
  type MachineSecret,
  type NumberedSecrets,
  noDetails,
} from '@watchword/protocol';
import type { ClientTable } from '../schema/schema.ts';

/** As the column `secrets` has it. */
interface StoredSecrets {
  readonly lastId: number;
  readonly secrets: readonly (Omit<ClientSecret, 'hash'> & { readonly hash: string })[];
}

/** Columns of a secret that clients and resource servers have. */
export function secretColumns(secret: MachineSecret) {
  return {
    secret_hash: secret.hash,
    previous_secret_hash: secret.previousHash ?? null,
    previous_secret_valid_until: secret.previousValidUntil,
  };
}

export function toSecret(
  hash: Uint8Array,
  row: { previous_secret_hash: Uint8Array | null; previous_secret_valid_until: number },
): MachineSecret {
  return {
    hash,
    previousHash: row.previous_secret_hash ?? undefined,
    previousValidUntil: row.previous_secret_valid_until,
  };
}

type ClientColumns = Pick<
  ClientTable,
  'secret_hash' | 'previous_secret_hash' | 'previous_secret_valid_until' | 'secret_created' | 'secrets'
>;

/** All columns of the secrets of a client. */
export function clientSecretColumns(secret: MachineSecret | undefined): ClientColumns {
  if (secret === undefined) {
    const none = { secret_hash: null, previous_secret_hash: null, previous_secret_valid_until: 0 };
    return { ...none, secret_created: null, secrets: null };
  }
  const { numbered, creationDate = null } = secret;
  const secrets = numbered === undefined ? null : JSON.stringify(storedForm(numbered));
  return { ...secretColumns(secret), secret_created: creationDate, secrets };
}

function storedForm({ lastId, secrets }: NumberedSecrets): StoredSecrets {
  return {
    lastId,
    secrets: secrets.map(({ hash, ...each }) => ({ ...each, hash: Buffer.from(hash).toString('base64url') })),
  };
}

export function toClientSecret(row: ClientColumns): MachineSecret | undefined {
  if (row.secret_hash === null) return undefined;
  const secret = toSecret(row.secret_hash, row);
  const { secret_created: creationDate, secrets } = row;
  if (secrets === null) return { ...secret, ...(creationDate !== null && { creationDate }) };
  const { lastId, secrets: each } = JSON.parse(secrets) as StoredSecrets;
  const numbered = {
    lastId,
    secrets: each.map((one) => ({ ...one, hash: new Uint8Array(Buffer.from(one.hash, 'base64url')) })),
  };
  return isKnown(secret.hash, numbered.secrets)
    ? { ...secret, creationDate: numbered.secrets[0]?.creationDate, numbered }
    : { ...secret, numbered: rotatedByFormerRelease(numbered, secret) };
}

/** A node of the release before has rotated the secret: once, or more often. What it then had as the one before ends with the overlap. */
function rotatedByFormerRelease(
  { lastId, secrets }: NumberedSecrets,
  { hash, previousHash, previousValidUntil: until }: MachineSecret,
): NumberedSecrets {
  const made = { ...noDetails, creationDate: 0 };
  if (previousHash === undefined || until === 0)
    return { lastId: lastId + 1, secrets: [{ ...made, id: lastId + 1, hash }] };
  const before = isKnown(previousHash, secrets) ? secrets : [{ ...made, id: lastId + 1, hash: previousHash }];
  const id = Math.max(lastId, ...before.map((each) => each.id)) + 1;
  return { lastId: id, secrets: [{ ...made, id, hash }, ...endingBy(before, until)] };
}

/** Whether it is the one that a node of the release before knows of these. */
function isKnown(hash: Uint8Array, secrets: readonly ClientSecret[]): boolean {
  const [known] = lastToEnd(secrets);
  return known !== undefined && Buffer.compare(known.hash, hash) === 0;
}
