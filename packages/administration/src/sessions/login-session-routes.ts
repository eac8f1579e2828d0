import type { Sealer } from '@watchword/protocol';
import { answerPage, linkNote, pagingParameters } from '../lists/listing.ts';
import type { PageRequest } from '../lists/page.ts';
import { uuid } from '../requests/path-ids.ts';
import { identityFilters, identityOfQuery, identityParameters } from '../requests/person-filter.ts';
import { filterOf, timeOf } from '../requests/query-values.ts';
import type { Route } from '../route.ts';
import { timestampSchema } from '../schema/timestamp.ts';
import { loginSessionRecord } from './login-session-schema.ts';
import type { LoginSessionAdministration } from './login-sessions.ts';

const tag = 'Login sessions';
const path = '/admin/loginSession';

export function loginSessionRoutes({
  loginSessionAdministration,
  sealer,
}: {
  readonly loginSessionAdministration: LoginSessionAdministration;
  readonly sealer: Sealer;
}): Route[] {
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
        {
          name: 'clientId',
          description:
            'Only sessions in which this client was granted access, as far as its grants are stored.',
          schema: { type: 'string' },
        },
        {
          name: 'since',
          description: 'Only sessions that began at this time or later, in epoch milliseconds.',
          schema: timestampSchema,
        },
        ...pagingParameters(),
      ],
      answer: {
        status: 200,
        description: 'A page of the list.',
        schema: { type: 'array', items: { $ref: '#/components/schemas/LoginSession' } },
        headers: ['Link'],
      },
      errors: [400],
      handle: (request) => {
        const owner = identityOfQuery(request);
        const filter = { owner, clientId: filterOf(request, 'clientId'), since: timeOf(request, 'since') };
        return answerPage(
          request,
          { path, filters: [...identityFilters, 'clientId', 'since'] },
          sealer,
          (page: PageRequest<string>) => loginSessionAdministration.list(request.caller, filter, page),
          loginSessionRecord,
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
