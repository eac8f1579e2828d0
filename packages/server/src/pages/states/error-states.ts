import { OAuthError, type ProtocolErrorName } from '@watchword/protocol';
import { errorPage } from '../model/error-page.ts';
import type { PageState } from './state-samples.ts';

function error(
  kind: ProtocolErrorName,
  more: {
    readonly key?: string;
    readonly values?: Readonly<Record<string, string>>;
    readonly retryAfter?: number;
  } = {},
): PageState {
  const { key, values = {}, retryAfter } = more;
  const text = key === undefined ? {} : { text: { key, values } };
  const shown = errorPage(
    new OAuthError(kind, { ...text, ...(retryAfter !== undefined && { retryAfter }) }),
    '5f0c6a31be-2k',
  );
  const logout = key === 'error.logout' ? { logoutUrl: '#', accountUrl: '#' } : undefined;
  return {
    name: (key ?? `error.${kind}`).replaceAll(/[._]/g, '-'),
    // Links of several kinds have one title.
    label: (kind === 'invalid_reset_link' ? ['title', 'advice'] : ['title']).map((part) => ({
      key: `${key ?? `error.${kind}`}.${part}`,
      values,
    })),
    page: { ...shown, logout } as PageState['page'],
  };
}

const ofKinds = (...kinds: readonly ProtocolErrorName[]) => kinds.map((kind) => error(kind));
/** The error page for each reason that a user meets. */
export const errorStates: readonly PageState[] = [
  error('invalid_request', { key: 'error.request' }),
  error('server_error', { key: 'error.server' }),
  error('access_denied'),
  error('access_denied', { key: 'error.declined_step' }),
  error('access_denied', { key: 'error.foreign_password' }),
  error('invalid_request', { key: 'error.logout' }),
  ...['error.client_document', 'error.client_host'].map((key) =>
    error('invalid_request', { key, values: { host: 'tool.example' } }),
  ),
  error('invalid_request', { key: 'error.tools_per_person', values: { limit: '50' } }),
  ...ofKinds('invalid_auth_state', 'unbound_submission', 'ambiguous_cookies', 'invalid_reset_link'),
  error('invalid_reset_link', { key: 'error.other_browser' }),
  error('invalid_reset_link', { key: 'error.mailed_link' }),
  error('invalid_reset_link', { key: 'error.invitation_link' }),
  error('too_many_requests', { retryAfter: 600 }),
  ...ofKinds('temporarily_unavailable', 'module_timed_out', 'not_found', 'method_not_allowed'),
  error('misdirected_request'),
];
