/** @type {import('@watchword/protocol').AuthenticationModuleFactory} */
export default function corporateLogin({ settings, services, log }) {
  const { loginAttempts } = services;
  const ask = services.createOutboundFetch(settings.outbound);
  const form = (message, status, retryAfter) => ({ type: 'form', message, status, retryAfter });

  return {
    name: 'corporate',

    // A login starts: show the login page with its two usual fields.
    begin: async () => ({ type: 'form' }),

    // The page came back.
    async resume({ source, device }, submission) {
      const username = submission.get('username')?.[0] ?? '';
      const password = submission.get('password')?.[0] ?? '';
      // Counts as a failure until it is known to be none. All nodes count together.
      const seconds = Math.ceil((await loginAttempts.begin(username, source, device)) / 1000);
      if (seconds > 0) return form({ key: 'login.wait', values: { seconds: `${seconds}` } }, 429, seconds);
      using answer = await ask(settings.url, {
        headers: { 'content-type': 'application/json', authorization: `Bearer ${settings.apiKey}` },
        body: JSON.stringify({ username, password, address: source }),
      }).catch((error) => {
        log('error', 'the login service cannot be reached', { reason: error.message });
      });
      if (answer === undefined || answer.status >= 500) {
        await loginAttempts.withdraw(username, source, device);
        return form({ key: 'login.unavailable' }, 503);
      }
      if (answer.status !== 200) return form({ key: 'login.wrong' }, 403);
      const person = await answer.json();
      await loginAttempts.succeed(username, source, device);
      return {
        type: 'authenticated',
        device: loginAttempts.remember(username, device),
        principal: {
          name: person.id,
          roles: person.roles,
          groups: person.groups,
          adminPrincipal: person.groups.includes('watchword-admins'),
          attributes: { DISPLAY_NAME: person.displayName },
        },
      };
    },
  };
}
