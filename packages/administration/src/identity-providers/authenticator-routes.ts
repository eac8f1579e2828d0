import {
  isObject,
  isSecretSetting,
  type MalformedField,
  OAuthError,
  type Sealer,
  type StoredAuthenticator,
} from '@watchword/protocol';
import { revisionTag } from '../changes/edit.ts';
import { answerPage, linkNote, pageOf, pagingParameters } from '../lists/listing.ts';
import type { PageRequest } from '../lists/page.ts';
import { entityTag } from '../requests/entity-tags.ts';
import type { AdminRequest, Route } from '../route.ts';
import { readPatch, readRecord, rejectMalformed } from '../schema/read-record.ts';
import { inputSchema, required } from '../schema/record-schema.ts';
import type {
  AuthenticatorAdministration,
  ListedAuthenticator,
  StoredListing,
} from './authenticator-administration.ts';
import { kindOf } from './authenticator-rules.ts';
import {
  authenticatorChangeFields,
  authenticatorChangeSchema,
  newAuthenticatorFields,
  newAuthenticatorSchema,
  settingsSchema,
} from './authenticator-schema.ts';
import type { TriedLogin } from './test-logins.ts';

const tag = 'Authenticators';
const path = '/admin/authenticator';
const one = `${path}/{id}`;
const record = { $ref: '#/components/schemas/Authenticator' };
const onlyAdministrators = 'Only for administrators who logged in: any other caller gets 403.';
// Bytes. Metadata can be a field of the body.
const bodyLimit = 400_000;

const testIdSchema = {
  description: '',
  fields: { testId: required({ type: 'text', minLength: 1, maxLength: 100 }, 'Of the test login.') },
};

export interface AuthenticatorRouteDependencies {
  readonly authenticatorAdministration: AuthenticatorAdministration;
  readonly sealer: Sealer;
}

export function authenticatorRoutes(deps: AuthenticatorRouteDependencies): Route[] {
  return [...recordRoutes(deps), ...testRoutes(deps)];
}

function recordRoutes({
  authenticatorAdministration: authenticators,
  sealer,
}: AuthenticatorRouteDependencies): Route[] {
  return [
    {
      id: 'listAuthenticators',
      method: 'GET',
      path,
      tag,
      summary: 'List the ways to log in',
      description: `Those of the configuration, and the identity providers that administrators set up. ${onlyAdministrators} ${linkNote}`,
      scope: 'read',
      query: pagingParameters(),
      answer: pageOf(record),
      errors: [400],
      handle: (request) =>
        answerPage(
          request,
          { path, filters: [] },
          sealer,
          (page: PageRequest<string>) => authenticators.list(request.caller, page),
          (listed: ListedAuthenticator) => ({ ...authenticatorRecord(listed), settings: null }),
        ),
    },
    {
      id: 'createAuthenticator',
      method: 'POST',
      path,
      tag,
      summary: 'Set up an identity provider',
      description: `The server reads its metadata first. ${onlyAdministrators} 409 for a name that another one has or had.`,
      scope: 'write',
      body: { schema: newAuthenticatorSchema(), isRequired: true, limit: bodyLimit },
      answer: {
        status: 201,
        description: 'It is set up. Within a second every node knows it.',
        schema: record,
        headers: ['ETag', 'Location'],
      },
      errors: [400, 409],
      handle: async ({ caller, body, prefix }) => {
        const { fields, settings } = parted(body());
        const { whole, malformed } = await readRecord(newAuthenticatorFields, fields);
        const read = await readRecord(settingsSchema(whole.kind), settings);
        const problems = [...malformed, ...ofSettings(read.malformed, whole.kind)];
        const given = { ...whole, label: whole.label || whole.name, settings: read.given as never };
        const { status, ...created } = answerOne(await authenticators.create(caller, given, problems));
        const location = `${prefix}${path}/${whole.name}`;
        return { status: 201, body: created.body, headers: { location, ...created.headers } };
      },
    },
    {
      id: 'getAuthenticator',
      method: 'GET',
      path: one,
      tag,
      summary: 'Read a way to log in',
      description: onlyAdministrators,
      scope: 'read',
      answer: { status: 200, description: 'The record.', schema: record, headers: ['ETag'] },
      errors: [404],
      handle: async (request) => answerOne(await authenticators.find(request.caller, nameOf(request))),
    },
    {
      id: 'changeAuthenticator',
      method: 'PATCH',
      path: one,
      tag,
      summary: 'Change, disable or enable an identity provider',
      description: `A merge patch (RFC 7396), also of its settings. One of the configuration is 404. ${onlyAdministrators}`,
      scope: 'write',
      isConditional: true,
      body: { schema: authenticatorChangeSchema(), isRequired: true, limit: bodyLimit },
      answer: { status: 200, description: 'The record after the change.', schema: record, headers: ['ETag'] },
      errors: [400, 404, 412],
      handle: async (request) => {
        const { caller, condition } = request;
        const { stored } = await authenticators.findStored(caller, nameOf(request));
        const { fields, settings } = parted(request.body());
        const patch = await readPatch(authenticatorChangeFields, fields);
        const ofKind = await readPatch(settingsSchema(stored.kind), settings);
        const problems = [...patch.malformed, ...ofSettings(ofKind.malformed, stored.kind)];
        const given = withoutEmptySecrets(stored.kind, ofKind.given);
        const changed = { ...stored.settings, ...given } as typeof stored.settings;
        const change = { ...patch.given, settings: changed };
        return answerOne(await authenticators.update(caller, stored.name, change, problems, condition));
      },
    },
    {
      id: 'deleteAuthenticator',
      needsFreshLogin: true,
      method: 'DELETE',
      path: one,
      tag,
      summary: 'Delete an identity provider',
      description: `Login sessions of its users end, their grants are revoked with all tokens, and their consents are removed. No other one can get its name. One of the configuration is 404. ${onlyAdministrators}`,
      scope: 'write',
      isConditional: true,
      answer: {
        status: 200,
        description: 'The number of revoked or removed rows of each kind.',
        schema: { $ref: '#/components/schemas/IdentityProviderUse' },
      },
      errors: [404, 412],
      handle: async (request) => ({
        status: 200,
        body: await authenticators.delete(request.caller, nameOf(request), request.condition),
      }),
    },
  ];
}

function testRoutes({
  authenticatorAdministration: authenticators,
}: AuthenticatorRouteDependencies): Route[] {
  return [
    {
      id: 'startTestLogin',
      method: 'POST',
      path: `${one}/testLogin`,
      tag,
      summary: 'Try a login at an identity provider',
      description: `A browser opens the address, also while the identity provider is disabled. No session begins. ${onlyAdministrators}`,
      scope: 'write',
      answer: {
        status: 200,
        description: 'Where the browser begins.',
        schema: { $ref: '#/components/schemas/StartedTest' },
      },
      errors: [404, 409],
      handle: async (request) => ({
        status: 200,
        body: await authenticators.tryLogin(request.caller, nameOf(request)),
      }),
    },
    {
      id: 'readTestLogin',
      method: 'POST',
      path: `${path}/testLogin`,
      tag,
      summary: 'Read once what came of a test login',
      description: onlyAdministrators,
      scope: 'write',
      body: { schema: inputSchema(testIdSchema), isRequired: true },
      answer: {
        status: 200,
        description: 'What the identity provider said, and what the rules made of it.',
        schema: { $ref: '#/components/schemas/TestLogin' },
      },
      errors: [400],
      handle: async ({ caller, body }) => {
        const { whole, malformed } = await readRecord(testIdSchema, body());
        rejectMalformed(malformed);
        return { status: 200, body: testRecord(await authenticators.testResult(caller, whole.testId)) };
      },
    },
  ];
}

function nameOf({ path: { id = '' } }: AdminRequest): string {
  return id;
}

/** The settings apart: they depend on the kind. @throws OAuthError `invalid_request` */
function parted(body: unknown) {
  const { settings, ...fields } = isObject(body) ? body : { settings: undefined };
  if (isObject(body) && (settings === undefined || settings === null || isObject(settings))) {
    return { fields, settings: settings ?? {} };
  }
  const place = isObject(body) ? 'settings' : 'body';
  throw new OAuthError('invalid_request', {
    rule: 'valid_record',
    violations: [`${place}: expected an object`],
  });
}

/** Without a kind that is known, no setting is. */
function ofSettings(malformed: readonly MalformedField[], kind: string): MalformedField[] {
  if (kindOf(kind) === undefined) return [];
  return malformed.map(({ field, problem }) => ({ field: `settings.${field}`, problem }));
}

function answerOne(listed: ListedAuthenticator | StoredListing) {
  const tagged = listed.stored === undefined ? '0' : revisionTag(listed.stored);
  return {
    status: 200 as const,
    body: authenticatorRecord(listed as ListedAuthenticator),
    headers: { etag: entityTag(tagged) },
  };
}

function authenticatorRecord({ stored, configured, state }: ListedAuthenticator) {
  const { problems = [], addresses = [], identityProviders = [], total = 0 } = state ?? {};
  const known = {
    problems,
    addresses,
    identityProviders: identityProviders.map((each) => ({
      ...each,
      validUntil: each.validUntil ?? null,
    })),
    total,
  };
  if (stored === undefined) {
    const { name, module, setting, label } = configured;
    const none = { kind: null, settings: null, creationDate: null, modificationDate: null };
    return { name, origin: 'configuration', module, setting, label, enabled: true, ...none, ...known };
  }
  const { revision: _, settings, ...fields } = stored;
  return {
    ...fields,
    settings: shownSettings(stored.kind, settings),
    origin: 'database',
    module: null,
    setting: null,
    ...known,
  };
}

/** An empty secret leaves the one that is stored, because nobody can read it to send it again. */
function withoutEmptySecrets(kind: string, given: Readonly<Record<string, unknown>>) {
  return Object.fromEntries(
    Object.entries(given).filter(([name, value]) => value !== '' || !isSecretSetting(kind, name)),
  );
}

function shownSettings(kind: string, settings: StoredAuthenticator['settings']) {
  return Object.fromEntries(
    Object.entries(settings).map(([name, value]) => [name, isSecretSetting(kind, name) ? '' : value]),
  );
}

function testRecord(tried: TriedLogin | undefined) {
  const { received = {}, user, refusal = null } = tried ?? {};
  const { identityProvider = null, principal, stableId = null, acr = null } = user ?? {};
  const { name = null, roles = [], groups = [], adminPrincipal = false, attributes = {} } = principal ?? {};
  const made = { identityProvider, name, stableId, acr, roles, groups, adminPrincipal, attributes };
  return { isFinished: tried !== undefined, received, refusal, ...made };
}
