import {
  type ChoiceKind,
  publicJwk,
  publicPem,
  publishedUntil,
  type SigningKey,
  signingAlgorithms,
  signingKeyState,
  signingKeyStates,
} from '@watchword/protocol';
import {
  type JsonSchema,
  nullableTimestampSchema,
  objectSchema,
  timestampSchema,
} from '../schema/json-schema.ts';
import { optional, required } from '../schema/record-schema.ts';
import type { ListedSigningKey } from './key-administration.ts';

const text = { type: 'string' } as const;

const properties = {
  kid: { ...text, description: 'Identifies the key in JWTs and in the JWKS.' },
  algorithm: { enum: signingAlgorithms, description: 'The only algorithm that the key is used with.' },
  state: {
    enum: signingKeyStates,
    description:
      'published: in the JWKS, so that all caches know it before it signs. signing: signs. retiring: in the JWKS until the last token that it signed has expired. retired: only verifies an id_token_hint. compromised: verifies nothing.',
  },
  publishedAt: { ...timestampSchema, description: 'When it was published, in epoch milliseconds.' },
  signsFrom: { ...timestampSchema, description: 'When it begins to sign, in epoch milliseconds.' },
  retiredAt: {
    ...nullableTimestampSchema,
    description: 'When it ends to sign, which can be in the future; null if no key follows it yet.',
  },
  compromisedAt: {
    ...nullableTimestampSchema,
    description:
      'When an administrator reported that another party can have the private half; null if none did.',
  },
  publishedUntil: {
    ...nullableTimestampSchema,
    description: 'When it leaves the JWKS, in epoch milliseconds; null if no key follows it yet.',
  },
  privateKey: {
    enum: ['database', 'kms', 'erased'],
    description: 'Where the private half is: sealed in the database, or in the key management system.',
  },
  problem: {
    type: ['string', 'null'],
    description:
      'Why this node cannot use the private half, with advice; null if it can, or does not need to.',
  },
  publicKey: {
    type: 'object',
    additionalProperties: text,
    description: 'The public half as a JSON Web Key, as /oauth2/jwks has it.',
  },
  publicKeyPem: { ...text, description: 'The public half as PEM.' },
} as const satisfies Readonly<Record<string, JsonSchema>>;

export const signingKeySchema: JsonSchema = objectSchema(
  'A key that the server signs JWTs with. Its private half is never in an answer.',
  properties,
);

const one = { $ref: '#/components/schemas/SigningKey' };

export const rotatedSigningKeysSchema: JsonSchema = objectSchema(
  'The key of each algorithm that signs next.',
  { keys: { type: 'array', items: one } },
);

export const retiredSigningKeySchema: JsonSchema = objectSchema(
  'A key that was retired, and the one that signs next.',
  {
    key: one,
    next: { anyOf: [one, { type: 'null' }], description: 'null: the server makes one when it signs.' },
    remaining: {
      type: ['string', 'null'],
      description:
        'The name in the key management system of the private half of a compromised key, if it could not be removed there; an administrator of that system must do it.',
    },
  },
);

export const sealingKeySchema: JsonSchema = objectSchema(
  'A key that seals forms and the cursors of lists. The key itself is never in an answer.',
  {
    id: text,
    creationDate: { ...timestampSchema, description: 'When it was made, in epoch milliseconds.' },
  },
);

const algorithm = { type: 'choice', values: signingAlgorithms } as const satisfies ChoiceKind;

export const rotationSchema = {
  description: 'What to rotate, and when the next key signs.',
  fields: {
    algorithm: optional(algorithm, 'Only the key of this algorithm. Default: of each algorithm that signs.'),
    now: optional({ type: 'flag' }, 'Whether the next key signs at once, before all caches know it.'),
  },
};

export const retirementSchema = {
  description: 'The key to retire.',
  fields: {
    kid: required({ type: 'text', minLength: 1 }, 'The kid of the key, exactly as in the list.'),
    compromised: optional(
      { type: 'flag' },
      'Whether another party can have the private half: then every token that the key signed is refused at once.',
    ),
  },
};

export const importedSchema = {
  description: 'A key that another program has made. Either privateKey or kmsKey is required.',
  fields: {
    privateKey: optional(
      { type: 'text', maxLength: 20_000 },
      'The private key, as PEM without a passphrase or as a JSON Web Key in JSON: RSA of 2048 bits or more, P-256, or Ed25519.',
    ),
    kmsKey: optional({ type: 'text', maxLength: 2048 }, 'The name of a key in the key management system.'),
    algorithm: optional(
      algorithm,
      'The algorithm that the key is used with. Required for RSA, unless the JSON Web Key names it, and for kmsKey.',
    ),
    kid: optional(
      { type: 'text', maxLength: 128 },
      'The kid of the key. Default: that of the JSON Web Key, or a new one.',
    ),
    now: optional({ type: 'flag' }, 'Whether the key signs at once, because clients know it already.'),
  },
};

/** A key as answers show it. @param now epoch milliseconds */
export function signingKeyRecord({ problem, ...key }: ListedSigningKey, now: number) {
  const { kid, algorithm, publishedAt, signsFrom, retiredAt = null, compromisedAt = null } = key;
  const until = publishedUntil(key);
  return {
    kid,
    algorithm,
    state: signingKeyState(key, now),
    publishedAt,
    signsFrom,
    retiredAt,
    compromisedAt,
    publishedUntil: Number.isFinite(until) ? until : null,
    privateKey: placeOfPrivateKey(key),
    problem: problem ?? null,
    publicKey: publicJwk(key),
    publicKeyPem: publicPem(key),
  };
}

/** Where the private half of a key is. */
export function placeOfPrivateKey({ privateKey }: SigningKey): 'database' | 'kms' | 'erased' {
  if (privateKey === undefined) return 'erased';
  return 'sealed' in privateKey ? 'database' : 'kms';
}
