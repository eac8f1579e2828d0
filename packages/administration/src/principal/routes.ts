import type { AccountRegistrationSetting } from '@watchword/accounts';
import { mayRegister, type RegistrationRight } from '../callers/registration-right.ts';
import type { Route } from '../route.ts';
import { type JsonSchema, objectSchema } from '../schema/json-schema.ts';

const listOfTexts = { type: 'array', items: { type: 'string' } } as const;

/** Who may register records, and who makes a local account. */
export const registrationSchema: JsonSchema = objectSchema('Who may register records, and make accounts.', {
  registration: {
    type: 'string',
    description:
      'The setting administration.registration: everyone, administrators, or group: and the name of a group.',
  },
  mayRegister: {
    type: 'boolean',
    description: 'The caller may register resource servers, and clients of its own resource servers.',
  },
  accounts: {
    enum: ['off', 'invitation', 'open'],
    description:
      'Who makes a local account, as the setting registration says: off for administrators alone, invitation for the people whom they invite too, open for everybody with an e-mail address too. It is off on a server without local accounts.',
  },
});

/** The resource owner of a token, with the fields that the authentication module returned. */
export const principalSchema: JsonSchema = objectSchema(
  'The resource owner of the token, with the fields that the authentication module returned.',
  {
    name: { type: 'string' },
    roles: listOfTexts,
    groups: listOfTexts,
    adminPrincipal: {
      type: 'boolean',
      description: 'The resource owner is an administrator, who can see and change all records.',
    },
    attributes: { type: 'object', additionalProperties: { type: 'string' } },
  },
);

export interface PrincipalRouteDependencies {
  /** Who may register records. */
  readonly registration: RegistrationRight;
  readonly accountRegistration: AccountRegistrationSetting;
}

export function principalRoutes({ registration, accountRegistration }: PrincipalRouteDependencies): Route[] {
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
      summary: 'Read who may register records, and make accounts',
      scope: 'read',
      answer: {
        status: 200,
        description:
          'Who may register resource servers and clients, whether the caller is one of them, and who makes a local account.',
        schema: { $ref: '#/components/schemas/Registration' },
      },
      handle: async ({ caller }) => ({
        status: 200,
        body: {
          registration,
          mayRegister: mayRegister(caller, { registration }),
          accounts: accountRegistration,
        },
      }),
    },
  ];
}
