import { type AuthenticationModuleFactory, type Principal, submitted } from '@watchword/protocol';

/** What a test submits in place of a password. */
export interface Persona extends Partial<Principal> {
  readonly authority?: string;
}

/** An authentication module that believes everything: the password says, as JSON, who the person is besides. */
const anyPerson: AuthenticationModuleFactory = () => ({
  name: 'any-person',
  begin: async () => ({ type: 'form' }),
  resume: async (_context, submission) => {
    const { authority, ...principal }: Persona = JSON.parse(submitted(submission, 'password'));
    const name = submitted(submission, 'username');
    const plain = { name, roles: [], groups: [], adminPrincipal: false, attributes: {} };
    return {
      type: 'authenticated',
      principal: { ...plain, ...principal },
      ...(authority !== undefined && { identityProvider: authority }),
    };
  },
  isConfigured: () => true,
});

// biome-ignore lint/style/noDefaultExport: what a module of a file exports
export default anyPerson;
