import type { Client } from '@watchword/admin-client';
import { Icon } from '../../../components/icon.tsx';
import { useEnvironment } from '../../../environment.ts';
import { t } from '../../../texts/texts.ts';
import { claimsOf, headerOf, type Members, type TestRun } from './exchange.ts';
import { Message } from './message.tsx';

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
