import {
  type Authenticated,
  type AuthenticationModuleFactory,
  type Principal,
  submitted,
} from '@watchword/protocol';

/** The content of the password field, as JSON. */
export interface Persona
  extends Partial<Principal>,
    Partial<Pick<Authenticated, 'identityProvider' | 'stableId' | 'amr' | 'acr' | 'claims'>> {}

/** An authentication module that accepts every login. The password has further fields of the principal, as JSON. */
const anyPerson: AuthenticationModuleFactory = () => ({
  name: 'any-person',
  begin: async () => ({ type: 'form' }),
  resume: async (_context, submission) => {
    const { identityProvider, stableId, amr, acr, claims, ...principal }: Persona = JSON.parse(
      submitted(submission, 'password'),
    );
    const name = submitted(submission, 'username');
    const plain = { name, roles: [], groups: [], adminPrincipal: false, attributes: {} };
    return {
      type: 'authenticated',
      principal: { ...plain, ...principal },
      ...(identityProvider !== undefined && { identityProvider }),
      ...(stableId !== undefined && { stableId }),
      ...(amr !== undefined && { amr }),
      ...(acr !== undefined && { acr }),
      ...(claims !== undefined && { claims }),
    };
  },
  isConfigured: () => true,
});

// biome-ignore lint/style/noDefaultExport: the file of a module has a default export
export default anyPerson;
