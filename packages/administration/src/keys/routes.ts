import {
  type Clock,
  type MadeSigningKey,
  OAuthError,
  type Sealer,
  type SigningAlgorithm,
} from '@watchword/protocol';
import { answerPage, linkNote, pageOf, pageOfAll, pagingParameters } from '../lists/listing.ts';
import type { AdminHandler, Route } from '../route.ts';
import { readRecord, rejectMalformed } from '../schema/read-record.ts';
import { inputSchema } from '../schema/record-schema.ts';
import type { KeyAdministration } from './key-administration.ts';
import { importedSchema, retirementSchema, rotationSchema, signingKeyRecord } from './schema.ts';
import type { SealingKeyAdministration } from './sealing-keys.ts';

/** A key that another program has made: its private half, or its name in the key management system. */
export interface ForeignKey {
  readonly privateKey?: string | undefined;
  readonly kmsKey?: string | undefined;
  readonly algorithm?: SigningAlgorithm | undefined;
  readonly kid?: string | undefined;
}

export interface KeyRouteDependencies {
  readonly signingKeyAdministration: KeyAdministration;
  /** Takes over a key. @throws OAuthError `invalid_request` if it cannot be used; KeyManagementError */
  readonly adoptKey: (key: ForeignKey) => Promise<MadeSigningKey>;
  readonly sealingKeyAdministration: SealingKeyAdministration;
  readonly sealer: Sealer;
  readonly clock: Clock;
}

const path = '/admin/signingKey';
const tag = 'Signing keys';
const forAdministrators = 'Only for administrators.';
const rotated = 'RotatedSigningKeys';
const withinASecond = 'Every node knows it within a second.';

export function keyRoutes(deps: KeyRouteDependencies): Route[] {
  return [...signingKeyRoutes(deps), ...sealingKeyRoutes(deps)];
}

function signingKeyRoutes(deps: KeyRouteDependencies): Route[] {
  const handlers = signingKeyHandlers(deps);
  return [
    {
      id: 'listSigningKeys',
      method: 'GET',
      path,
      tag,
      summary: 'List the keys that sign, will sign or have signed',
      description: `${forAdministrators} The key that signs last comes first. ${linkNote}`,
      scope: 'read',
      query: pagingParameters(),
      answer: pageOf({ $ref: '#/components/schemas/SigningKey' }),
      errors: [400],
      handle: handlers.list,
    },
    {
      id: 'importSigningKey',
      needsFreshLogin: true,
      method: 'POST',
      path,
      tag,
      summary: 'Sign with a key that another program has made',
      description: `${forAdministrators} The key follows the one that signs now, as in a rotation. ${withinASecond}`,
      scope: 'write',
      body: { schema: inputSchema(importedSchema), isRequired: true },
      answer: {
        status: 201,
        description: 'The key.',
        schema: { $ref: '#/components/schemas/SigningKey' },
      },
      errors: [400],
      handle: handlers.import,
    },
    {
      id: 'rotateSigningKeys',
      needsFreshLogin: true,
      method: 'POST',
      path: `${path}/rotation`,
      tag,
      summary: 'Publish the next key of each algorithm',
      description: `${forAdministrators} The next key is published for ten minutes before it signs, so that every cache of the JWKS knows it. The key before it signs until then, and stays published until its last token has expired. ${withinASecond}`,
      scope: 'write',
      body: { schema: inputSchema(rotationSchema), isRequired: true },
      answer: {
        status: 200,
        description: 'The next keys. If one was published already, it is that one.',
        schema: { $ref: `#/components/schemas/${rotated}` },
      },
      errors: [400],
      handle: handlers.rotate,
    },
    {
      id: 'retireSigningKey',
      needsFreshLogin: true,
      method: 'POST',
      path: `${path}/retirement`,
      tag,
      summary: 'Retire a key, in time or at once',
      description: `${forAdministrators} A key that signs is followed by another and then retires: its tokens stay valid. A key that does not sign yet never signs. With compromised, the server refuses every token that the key signed at once, as do resource servers that read the list of revocations: the key leaves the JWKS, and its private half is erased. ${withinASecond}`,
      scope: 'write',
      body: { schema: inputSchema(retirementSchema), isRequired: true },
      answer: {
        status: 200,
        description: 'The key, and the one that signs next.',
        schema: { $ref: '#/components/schemas/RetiredSigningKey' },
      },
      errors: [400, 404],
      handle: handlers.retire,
    },
  ];
}

function signingKeyHandlers({
  signingKeyAdministration: keys,
  adoptKey,
  sealer,
  clock,
}: KeyRouteDependencies) {
  const shown = (key: Parameters<typeof signingKeyRecord>[0]) => signingKeyRecord(key, clock.now());
  return {
    async list(request) {
      const all = await keys.list(request.caller);
      return answerPage(request, { path, filters: [] }, sealer, pageOfAll(all), shown);
    },
    async import({ caller, body }) {
      const { given, malformed } = await readRecord(importedSchema, body());
      rejectMalformed(malformed);
      const { privateKey, kmsKey, algorithm, kid, now = false } = given;
      if ((privateKey === undefined) === (kmsKey === undefined)) {
        throw new OAuthError('invalid_request', {
          description: 'Expected either privateKey or kmsKey; got both or neither.',
          rule: 'described_parameter',
        });
      }
      const foreign = { privateKey, kmsKey, algorithm, kid: kid || undefined };
      return { status: 201, body: shown(await keys.add(caller, () => adoptKey(foreign), now)) };
    },
    async rotate({ caller, body }) {
      const { given, malformed } = await readRecord(rotationSchema, body());
      rejectMalformed(malformed);
      const next = await keys.rotate(caller, given.algorithm, given.now ?? false);
      return { status: 200, body: { keys: next.map(shown) } };
    },
    async retire({ caller, body }) {
      const { whole, malformed } = await readRecord(retirementSchema, body());
      rejectMalformed(malformed);
      const ended = whole.compromised
        ? await keys.endCompromised(caller, whole.kid)
        : { ...(await keys.retire(caller, whole.kid)), remaining: undefined };
      const { key, next, remaining } = ended;
      const answer = {
        next: next === undefined ? null : shown(next),
        remaining: remaining?.reference ?? null,
      };
      return { status: 200, body: { key: shown(key), ...answer } };
    },
  } satisfies Readonly<Record<string, AdminHandler>>;
}

const sealingPath = '/admin/sealingKey';

function sealingKeyRoutes({ sealingKeyAdministration: keys, sealer }: KeyRouteDependencies): Route[] {
  return [
    {
      id: 'listSealingKeys',
      method: 'GET',
      path: sealingPath,
      tag: 'Sealing keys',
      summary: 'List the keys that seal forms and the cursors of lists',
      description: `${forAdministrators} The server replaces them every day. The newest comes first. ${linkNote}`,
      scope: 'read',
      query: pagingParameters(),
      answer: pageOf({ $ref: '#/components/schemas/SealingKey' }),
      errors: [400],
      async handle(request) {
        const all = await keys.list(request.caller);
        return answerPage(request, { path: sealingPath, filters: [] }, sealer, pageOfAll(all), (key) => key);
      },
    },
    {
      id: 'renewSealingKeys',
      needsFreshLogin: true,
      method: 'POST',
      path: `${sealingPath}/renewal`,
      tag: 'Sealing keys',
      summary: 'Replace the keys that seal forms, and the key of digests',
      description: `${forAdministrators} For keys that another party has: whatever was made with the old ones is refused. Users who are about to log in or to consent start again, counts of failed logins begin at 0, and no device is known until its user logs in again. Sessions, tokens and signing keys stay. ${withinASecond}`,
      scope: 'write',
      answer: { status: 204, description: 'They are replaced.' },
      async handle({ caller }) {
        await keys.renew(caller);
        return { status: 204 };
      },
    },
  ];
}
