import { createHash, randomInt, timingSafeEqual } from 'node:crypto';

const address = { name: 'address', label: 'field.email', type: 'email', autocomplete: 'username' };
const code = { name: 'code', label: 'field.code', type: 'text', autocomplete: 'one-time-code' };
const digestOf = (address, code) => createHash('sha256').update(`${address} ${code}`).digest('base64url');

/** @type {import('@watchword/protocol').AuthenticationModuleFactory} */
export default function mailLogin({ settings, services }) {
  const { loginAttempts } = services;
  const send = services.createOutboundFetch(settings.outbound);
  const askAddress = (message, status) => ({ type: 'form', fields: [address], message, status });
  const askCode = (state, message, status) => ({ type: 'form', fields: [code], state, message, status });

  return {
    name: 'mail',
    texts: {
      en: {
        'own.mail.sent': 'We have sent a code to {address}.',
        'own.mail.wrong': 'That is not the code.',
        'own.mail.stranger': 'That is no address of ours.',
      },
    },

    begin: async () => askAddress(),

    async resume({ state, source, device }, submission) {
      const typed = (field) => submission.get(field.name)?.[0]?.trim() ?? '';
      const now = services.clock.now();
      // True once: a page can be sent again and again with the state that it had.
      const isFirst = (what, milliseconds) => services.oneTime.put(`mail ${what}`, '', now + milliseconds);

      if (state === undefined) {
        const to = typed(address).toLowerCase();
        if (!/^[^\s@]+@example\.com$/.test(to)) return askAddress({ key: 'own.mail.stranger' }, 403);
        // One code a minute for each address, so that no user is flooded with mail.
        if (!(await isFirst(`${to} ${Math.floor(now / 60_000)}`, 60_000))) {
          return askAddress({ key: 'login.wait', values: { seconds: '60' } }, 429);
        }
        const sent = String(randomInt(100_000_000)).padStart(8, '0');
        using _answer = await send(settings.mailer, { body: JSON.stringify({ to, code: sent }) });
        const next = { address: to, digest: digestOf(to, sent), expires: now + 600_000, tries: 0 };
        // A hint and no problem: it has no error status.
        return askCode(next, { key: 'own.mail.sent', values: { address: to } });
      }

      // Guesses are counted over all codes of the address: five at each code would be millions in a year.
      const seconds = Math.ceil((await loginAttempts.begin(state.address, source, device)) / 1000);
      if (seconds > 0) return askCode(state, { key: 'login.wait', values: { seconds: `${seconds}` } }, 429);
      const digest = digestOf(state.address, typed(code));
      const isRight = timingSafeEqual(Buffer.from(digest), Buffer.from(state.digest));
      const mayTry = now < state.expires && state.tries < 5;
      if (!mayTry || !(await isFirst(`${state.digest} ${state.tries}`, 600_000))) {
        return { type: 'refused', description: 'The code is too old, or there were too many wrong ones.' };
      }
      if (!isRight) return askCode({ ...state, tries: state.tries + 1 }, { key: 'own.mail.wrong' }, 403);
      await loginAttempts.succeed(state.address, source, device);
      const principal = { name: state.address, roles: [], groups: [], adminPrincipal: false, attributes: {} };
      return { type: 'authenticated', principal, device: loginAttempts.remember(state.address, device) };
    },
  };
}
