/** @type {import('@watchword/protocol').ConsentModuleFactory} */
export default function carefulConsent({ settings }) {
  const isSensitive = (scope) => settings.sensitive.includes(scope);
  const mayGrant = ({ identityProvider, principal }, scope) =>
    !isSensitive(scope) || (identityProvider === settings.ours && principal.groups.includes('staff'));

  const ask = ({ scopes }, message, status) => {
    return { type: 'form', ticked: scopes.filter((scope) => !isSensitive(scope)), message, status };
  };

  return {
    name: 'careful',

    begin: async (context) => ask(context),

    async resume(context, submission) {
      const { scopes, resourceOwner } = context;
      if (submission.get('decision')?.[0] !== 'allow') return { type: 'denied' };
      const chosen = submission.get('granted_scopes') ?? [];
      const granted = scopes.filter((scope) => chosen.includes(scope));
      if (granted.length === 0) return ask(context, { key: 'consent.none' }, 400);
      if (!granted.every((scope) => mayGrant(resourceOwner, scope))) {
        return ask(context, 'Only people of the company may allow all of that.', 403);
      }
      return { type: 'consented', scopes: granted, remember: !granted.some(isSensitive) };
    },
  };
}
