import { UserManager } from 'oidc-client-ts';

const home = 'http://localhost:3000/';
const users = new UserManager({
  authority: 'https://login.example',
  client_id: 'browser-app',
  redirect_uri: home,
  silent_redirect_uri: home,
  post_logout_redirect_uri: home,
  scope: 'openid profile email',
  loadUserInfo: true,
});

// The name is in the answer of the userinfo endpoint.
const show = (user) => {
  document.querySelector('#name').textContent = user?.profile.name ?? '';
};
users.events.addUserLoaded(show);

const parameters = new URLSearchParams(location.search);
if (window.self !== window.top) {
  // The frame of a silent renewal hands its response to the window.
  await users.signinSilentCallback();
} else {
  if (parameters.has('code') || parameters.has('error')) {
    await users.signinRedirectCallback();
    // A code in the address bar is of no use any more.
    history.replaceState({}, '', home);
  }
  show(await users.getUser());
}

document.querySelector('#log-in').onclick = () => users.signinRedirect();
document.querySelector('#renew').onclick = () => users.signinSilent();
document.querySelector('#log-out').onclick = () => users.signoutRedirect();
