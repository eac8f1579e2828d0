import { mayRegister, type RegistrationRight } from '../callers/registration-right.ts';
import type { Route } from '../route.ts';

export interface PrincipalRouteDependencies {
  /** Who may register records. */
  readonly registration: RegistrationRight;
}

export function principalRoutes({ registration }: PrincipalRouteDependencies): Route[] {
  return [
    {
      id: 'getPrincipal',
      method: 'GET',
      path: '/admin/resourceServer/principal',
      tag: 'Caller',
      summary: 'Read the principal of the caller',
      scope: 'read',
      answer: {
        status: 200,
        description: 'The principal of the access token.',
        schema: { $ref: '#/components/schemas/Principal' },
      },
      handle: async ({ caller }) => ({ status: 200, body: caller.principal }),
    },
    {
      id: 'getRegistration',
      method: 'GET',
      path: '/admin/registration',
      tag: 'Caller',
      summary: 'Read who may register records',
      scope: 'read',
      answer: {
        status: 200,
        description: 'Who may register resource servers and clients, and whether the caller is one of them.',
        schema: { $ref: '#/components/schemas/Registration' },
      },
      handle: async ({ caller }) => ({
        status: 200,
        body: { registration, mayRegister: mayRegister(caller, { registration }) },
      }),
    },
  ];
}
