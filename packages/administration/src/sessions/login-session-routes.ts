import type { LoginSession, Sealer } from '@watchword/protocol';
import { answerPage, linkNote, pageOf, pagingParameters } from '../lists/listing.ts';
import type { PageRequest } from '../lists/page.ts';
import {
  filterOf,
  filterParameter,
  identityFilters,
  identityOfQuery,
  identityParameters,
  timeOf,
  uuid,
} from '../requests/parameters.ts';
import type { Route } from '../route.ts';
import { type JsonSchema, objectSchema, timestampSchema } from '../schema/json-schema.ts';
import type { LoginSessionAdministration } from './login-sessions.ts';

const properties = {
  id: { type: 'string', format: 'uuid' },
  authenticator: { type: 'string', description: 'The authenticator with which the user logged in.' },
  identityProvider: {
    type: 'string',
    description: 'The identity provider of the name, as in grants and accounts.',
  },
  resourceOwnerId: { type: 'string', description: 'Principal name of the user.' },
  device: {
    type: 'string',
    description:
      'Browser and system, such as "Firefox, Linux", as the browser reports them; empty if they are not known.',
  },
  source: {
    type: 'string',
    description: 'Network address from which the user logged in; empty if it is not known.',
  },
  places: {
    type: 'array',
    items: { type: 'object', additionalProperties: { type: 'string' } },
    description:
      'Where that address is: the names of town and country, each by language (BCP 47), the smaller place first. Empty without the setting pages.placeDatabase.',
  },
  creationDate: { ...timestampSchema, description: 'Time of the login, in epoch milliseconds.' },
  lastUsed: {
    ...timestampSchema,
    description: 'Time of the last use that was stored, in epoch milliseconds: not every use is stored.',
  },
  expires: {
    ...timestampSchema,
    description:
      'When the session ends, in epoch milliseconds. It ends sooner if it is not used for session.idleLifetime.',
  },
} as const;

export const loginSessionSchema: JsonSchema = objectSchema(
  'A login in one browser, which is valid for several clients.',
  properties,
);

type Places = readonly Readonly<Record<string, string>>[];

/** Where a network address is: names by language, the smallest place first. */
export type PlacesOf = (address: string) => Places | Promise<Places>;

/** The session without its verifier, and without the attributes of the user. */
async function loginSessionRecord(session: LoginSession, placesOf: PlacesOf) {
  const { id, authenticator, owner, device, source, creationDate, lastUsed, expires } = session;
  const { identityProvider, principal } = owner;
  return {
    ...{ id, authenticator, identityProvider, resourceOwnerId: principal.name },
    ...{ device, source, places: await placesOf(source), creationDate, lastUsed, expires },
  };
}

export interface LoginSessionRouteDependencies {
  readonly loginSessionAdministration: LoginSessionAdministration;
  readonly placesOf: PlacesOf;
}

const tag = 'Login sessions';
const path = '/admin/loginSession';

export function loginSessionRoutes({
  loginSessionAdministration,
  placesOf,
  sealer,
}: LoginSessionRouteDependencies & { readonly sealer: Sealer }): Route[] {
  return [
    {
      id: 'listLoginSessions',
      method: 'GET',
      path,
      tag,
      summary: 'List login sessions',
      description: `Only for administrators. The newest come first. ${linkNote}`,
      scope: 'read',
      query: [
        ...identityParameters('Only sessions of this user'),
        filterParameter(
          'clientId',
          'Only sessions in which this client was granted access, as far as its grants are stored.',
        ),
        {
          name: 'since',
          description: 'Only sessions that began at this time or later, in epoch milliseconds.',
          schema: timestampSchema,
        },
        ...pagingParameters(),
      ],
      answer: pageOf({ $ref: '#/components/schemas/LoginSession' }),
      errors: [400],
      handle: (request) => {
        const owner = identityOfQuery(request);
        const filter = { owner, clientId: filterOf(request, 'clientId'), since: timeOf(request, 'since') };
        return answerPage(
          request,
          { path, filters: [...identityFilters, 'clientId', 'since'] },
          sealer,
          async (page: PageRequest<string>) => {
            const { items, next } = await loginSessionAdministration.list(request.caller, filter, page);
            return {
              items: await Promise.all(items.map((item) => loginSessionRecord(item, placesOf))),
              next,
            };
          },
          (record) => record,
        );
      },
    },
    {
      id: 'endLoginSession',
      method: 'DELETE',
      path: `${path}/{id}`,
      tag,
      summary: 'End a login session',
      description:
        'Only for administrators. The user must log in again. Grants and tokens stay, as after a logout.',
      scope: 'write',
      answer: { status: 204, description: 'The session has ended.' },
      errors: [404],
      handle: async (request) => {
        await loginSessionAdministration.end(request.caller, uuid(request));
        return { status: 204 };
      },
    },
  ];
}
