import { deliverLoginTest } from './session/login-test-answer.ts';

// The redirect URI of a login test. It keeps nothing, and knows neither a token nor a session.
const answer = new URLSearchParams(location.search);
history.replaceState(null, '', location.pathname);
deliverLoginTest(answer);
window.close();
