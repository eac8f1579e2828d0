import { OAuthFailure } from './authorization-server.js';
import { createNotesApi } from './notes-api.js';
import { createSession } from './session.js';

const { issuer, clientId, apiUrl } = await (await fetch('/configuration.json')).json();
const session = createSession({
  issuer,
  clientId,
  redirectUri: `${location.origin}/callback`,
  scope: 'openid profile email read write',
});
const api = createNotesApi(apiUrl, session);

/** @param {string} id */
const element = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** @type {(message: string) => void} */
const say = (message) => {
  element('status').textContent = message;
};

function show() {
  element('signed-in').hidden = !session.isSignedIn();
  element('signed-out').hidden = session.isSignedIn();
  const user = session.user();
  element('user').textContent = user?.name ?? '';
  element('email').textContent = user?.email ?? '';
  const expires = session.expires();
  element('expires').textContent = Number.isFinite(expires)
    ? new Date(expires).toLocaleTimeString()
    : 'never';
}

async function showNotes() {
  const { owner, notes } = await api.list();
  element('owner').textContent = owner;
  // As text, never as HTML: what people write stays what it is.
  element('notes').replaceChildren(
    ...notes.map(({ text }) => Object.assign(document.createElement('li'), { textContent: text })),
  );
  element('none').hidden = notes.length > 0;
}

/**
 * Does what a button is for, and says how it went.
 * @param {() => Promise<string>} work gives the words for success
 */
async function attempt(work) {
  say('');
  try {
    say(await work());
  } catch (error) {
    const isOver = error instanceof OAuthFailure && error.code === 'invalid_grant';
    say(
      isOver
        ? 'Access has ended or was withdrawn. Sign in again.'
        : String(error instanceof Error ? error.message : error),
    );
  }
  show();
}

/** @type {(id: string, work: () => Promise<string>) => void} */
const onClick = (id, work) => element(id).addEventListener('click', () => attempt(work));

onClick('sign-in', async () => {
  await session.signIn();
  return 'Going to the authorization server …';
});
onClick('reload', async () => {
  await showNotes();
  return 'These are all your notes.';
});
onClick('renew', async () => {
  await session.renew();
  return 'A new access token came; the old refresh token is used up.';
});
onClick('sign-out', async () => {
  await session.end();
  return 'Signed out: the tokens were given back.';
});
element('add').addEventListener('submit', (event) => {
  event.preventDefault();
  const input = /** @type {HTMLInputElement} */ (element('text'));
  attempt(async () => {
    await api.add(input.value);
    input.value = '';
    await showNotes();
    return 'Added.';
  });
});

if (location.pathname === '/callback') {
  const answer = new URLSearchParams(location.search);
  // Out of the address bar and the history, before anything else is done with it.
  history.replaceState(null, '', '/');
  await attempt(async () => {
    await session.finishSignIn(answer);
    await showNotes();
    return 'Signed in.';
  });
}
show();
