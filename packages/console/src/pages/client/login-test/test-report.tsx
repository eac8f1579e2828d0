import type { Client } from '@watchword/admin-client';
import { Timestamp } from '../../../components/timestamp.tsx';
import { Icon } from '../../../controls/icon.tsx';
import { useEnvironment } from '../../../environment.ts';
import { t } from '../../../texts/texts.ts';
import { claimsOf, headerOf, type Members, type TestRun } from './exchange.ts';

interface TestReportProps {
  readonly client: Client;
  readonly run: TestRun;
}

/** Every message of a login, in the order in which they were sent. */
export function TestReport({ client, run: { request, answer, result } }: TestReportProps) {
  const { issuer } = useEnvironment();
  const idToken = result?.tokens.id_token;
  const claims = typeof idToken === 'string' ? claimsOf(idToken) : undefined;
  return (
    <>
      <Message
        title={t('loginTest.request')}
        lead={t('loginTest.requestLead')}
        members={request.parameters}
      />
      <Message
        title={t('loginTest.answer')}
        lead={t(answer.has('error') ? 'loginTest.answerError' : 'loginTest.answerLead')}
        members={Object.fromEntries(answer)}
      />
      {result !== undefined && (
        <Message
          title={t('loginTest.tokens')}
          lead={t('error' in result.tokens ? 'loginTest.tokensError' : 'loginTest.tokensLead')}
          members={result.tokens}
        />
      )}
      {typeof idToken === 'string' && claims !== undefined && (
        <>
          <Message
            title={t('loginTest.header')}
            lead={t('loginTest.headerLead')}
            members={headerOf(idToken)}
          />
          <Message title={t('loginTest.idToken')} lead={t('loginTest.idTokenLead')} members={claims} />
          <Checks claims={claims} issuer={issuer} clientId={client.clientId} nonce={request.nonce} />
        </>
      )}
      {result?.userinfo !== undefined && (
        <Message
          title={t('loginTest.userinfo')}
          lead={t('loginTest.userinfoLead')}
          members={result.userinfo}
        />
      )}
    </>
  );
}

interface ChecksProps {
  readonly claims: Members;
  readonly issuer: string;
  readonly clientId: string;
  readonly nonce: string;
}

/** What the application must check too (OpenID Connect Core §3.1.3.7). It also verifies the signature. */
function Checks({ claims, issuer, clientId, nonce }: ChecksProps) {
  const { aud, exp } = claims;
  const checks = [
    { text: t('loginTest.check.iss'), holds: claims.iss === issuer },
    {
      text: t('loginTest.check.aud'),
      holds: aud === clientId || (Array.isArray(aud) && aud.includes(clientId)),
    },
    { text: t('loginTest.check.exp'), holds: typeof exp === 'number' && exp * 1000 > Date.now() },
    { text: t('loginTest.check.nonce'), holds: claims.nonce === nonce },
  ];
  return (
    <section className="login-test-message">
      <h2>{t('loginTest.checks')}</h2>
      <p className="quiet">{t('loginTest.checksLead')}</p>
      <ul className="login-test-checks">
        {checks.map(({ text, holds }) => (
          <li key={text} data-holds={holds}>
            <Icon name={holds ? 'check' : 'close'} />
            {holds ? text : t('loginTest.check.failed', { check: text })}
          </li>
        ))}
      </ul>
    </section>
  );
}

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
function Message({ title, lead, members }: MessageProps) {
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
