import type { SigningAlgorithm, SigningKey, SigningKeyStore } from '@watchword/protocol';
import type { Kysely, Selectable } from 'kysely';
import type { SigningKeyTable } from '../schema/key-tables.ts';
import type { Schema } from '../schema/schema.ts';

export function sqlSigningKeys(db: Kysely<Schema>): SigningKeyStore {
  return {
    async list() {
      const rows = await db
        .selectFrom('signing_key')
        .selectAll()
        .orderBy('signs_from', 'desc')
        .orderBy('kid', 'desc')
        .execute();
      return rows.map(toKey);
    },

    async insert(key) {
      const { kid, algorithm, publicKey } = key;
      const inserted = await db
        .insertInto('signing_key')
        .values({ kid, algorithm, public_key: JSON.stringify(publicKey), ...changing(key) })
        .onConflict((conflict) => conflict.column('kid').doNothing())
        .returning('kid')
        .executeTakeFirst();
      return inserted !== undefined;
    },

    async update(key) {
      await db.updateTable('signing_key').set(changing(key)).where('kid', '=', key.kid).execute();
    },

    async remove(kid) {
      await db.deleteFrom('signing_key').where('kid', '=', kid).execute();
    },
  };
}

/** The columns that change. */
function changing({ privateKey, publishedAt, signsFrom, retiredAt, compromisedAt }: SigningKey) {
  return {
    sealed_private_key: privateKey !== undefined && 'sealed' in privateKey ? privateKey.sealed : null,
    private_key_reference:
      privateKey !== undefined && 'reference' in privateKey ? privateKey.reference : null,
    published_at: publishedAt,
    signs_from: signsFrom,
    retired_at: retiredAt ?? null,
    compromised_at: compromisedAt ?? null,
  };
}

function toKey(row: Selectable<SigningKeyTable>): SigningKey {
  return {
    kid: row.kid,
    algorithm: row.algorithm as SigningAlgorithm,
    publicKey: JSON.parse(row.public_key),
    privateKey: privateKeyOf(row),
    publishedAt: row.published_at,
    signsFrom: row.signs_from,
    retiredAt: row.retired_at ?? undefined,
    compromisedAt: row.compromised_at ?? undefined,
  };
}

function privateKeyOf({
  sealed_private_key: sealed,
  private_key_reference: reference,
}: Selectable<SigningKeyTable>): SigningKey['privateKey'] {
  if (sealed !== null) return { sealed };
  return reference === null ? undefined : { reference };
}
