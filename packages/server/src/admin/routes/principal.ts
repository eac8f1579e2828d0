import type { Route } from '../route.ts';

export function principalRoutes(): Route[] {
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
  ];
}
