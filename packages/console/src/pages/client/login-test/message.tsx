import { Timestamp } from '../../../components/timestamp.tsx';
import { t } from '../../../texts/texts.ts';
import type { Members } from './exchange.ts';

/** Names with an explanation: parameters, members of a token response, claims, members of a JWT header. */
const explained = [
  'response_type',
  'client_id',
  'redirect_uri',
  'scope',
  'state',
  'nonce',
  'code_challenge',
  'code_challenge_method',
  'prompt',
  'code',
  'iss',
  'error',
  'error_description',
  'access_token',
  'refresh_token',
  'id_token',
  'token_type',
  'expires_in',
  'alg',
  'kid',
  'typ',
  'sub',
  'aud',
  'azp',
  'exp',
  'iat',
  'auth_time',
  'acr',
  'amr',
  'sid',
  'at_hash',
] as const;

const times: ReadonlySet<string> = new Set(['exp', 'iat', 'auth_time', 'updated_at']);
const hidden: ReadonlySet<string> = new Set(['access_token', 'refresh_token', 'id_token', 'code']);

interface MessageProps {
  readonly title: string;
  readonly lead: string;
  readonly members: Members;
}

/** A message of the login, with what each member means. */
export function Message({ title, lead, members }: MessageProps) {
  return (
    <section className="login-test-message">
      <h2>{title}</h2>
      <p className="quiet">{lead}</p>
      <dl>
        {Object.entries(members).map(([name, value]) => (
          <div key={name}>
            <dt>
              <code>{name}</code>
            </dt>
            <dd>
              <Value name={name} value={value} />
              <p className="quiet">{meaningOf(name)}</p>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Value({ name, value }: { readonly name: string; readonly value: unknown }) {
  if (hidden.has(name)) return <span>{t('loginTest.hidden')}</span>;
  return (
    <>
      <code>{typeof value === 'string' ? value : JSON.stringify(value)}</code>
      {times.has(name) && typeof value === 'number' && (
        <>
          {' '}
          <Timestamp time={value * 1000} />
        </>
      )}
    </>
  );
}

function meaningOf(name: string): string {
  const known = explained.find((each) => each === name);
  return known === undefined ? t('loginTest.name.other') : t(`loginTest.name.${known}`);
}
