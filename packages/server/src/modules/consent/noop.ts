import type { ConsentModule } from '@watchword/protocol';

/** Grants the requested scopes without asking the resource owner. */
export function consentNoopModule(): ConsentModule {
  const grant: ConsentModule['begin'] = async ({ scopes }) => ({
    type: 'consented',
    scopes,
    remember: false,
  });
  return {
    name: 'noop',
    insecureBecause: 'danger.consent-noop',
    begin: grant,
    resume: grant,
  };
}
